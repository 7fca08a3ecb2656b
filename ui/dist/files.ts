/** Made by tests/support/build_ui.ts. */
import f0 from "./base-fww9bpxe.js" with { type: "text" };
import f1 from "./details-je4hacez.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-epnsl7ka.js" with { type: "text" };
import f4 from "./lists-o62t07l7.js" with { type: "text" };
import f5 from "./login-ccwlx1y0.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-nszrtbzu.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-fww9bpxe.js": f0,
  "details-je4hacez.js": f1,
  "docs.js": f2,
  "home-epnsl7ka.js": f3,
  "lists-o62t07l7.js": f4,
  "login-ccwlx1y0.js": f5,
  "main.js": f6,
  "overlays-nszrtbzu.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
