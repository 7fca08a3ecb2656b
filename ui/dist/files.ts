/** Made by tests/support/build_ui.ts. */
import f0 from "./base-ons6ms47.js" with { type: "text" };
import f1 from "./details-mvbp5hcn.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-n0ra1b24.js" with { type: "text" };
import f4 from "./lists-hhx1zzdm.js" with { type: "text" };
import f5 from "./login-e5cbve4r.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-l89xoi2c.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-ons6ms47.js": f0,
  "details-mvbp5hcn.js": f1,
  "docs.js": f2,
  "home-n0ra1b24.js": f3,
  "lists-hhx1zzdm.js": f4,
  "login-e5cbve4r.js": f5,
  "main.js": f6,
  "overlays-l89xoi2c.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
