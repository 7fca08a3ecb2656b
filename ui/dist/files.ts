/** Made by tests/support/build_ui.ts. */
import f0 from "./base-dar8uxdq.js" with { type: "text" };
import f1 from "./details-gjvtij4t.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-o3hrswf0.js" with { type: "text" };
import f4 from "./lists-h80cyg26.js" with { type: "text" };
import f5 from "./login-c0kb1q8j.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-b2kll4vl.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-dar8uxdq.js": f0,
  "details-gjvtij4t.js": f1,
  "docs.js": f2,
  "home-o3hrswf0.js": f3,
  "lists-h80cyg26.js": f4,
  "login-c0kb1q8j.js": f5,
  "main.js": f6,
  "overlays-b2kll4vl.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
