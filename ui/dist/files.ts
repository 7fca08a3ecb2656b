/** Made by tests/support/build_ui.ts. */
import f0 from "./base-eg7ncdk9.js" with { type: "text" };
import f1 from "./details-eac60xin.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-m1p1gnfh.js" with { type: "text" };
import f4 from "./lists-fdvvok1p.js" with { type: "text" };
import f5 from "./login-dyx19e2f.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-djokbjqu.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-eg7ncdk9.js": f0,
  "details-eac60xin.js": f1,
  "docs.js": f2,
  "home-m1p1gnfh.js": f3,
  "lists-fdvvok1p.js": f4,
  "login-dyx19e2f.js": f5,
  "main.js": f6,
  "overlays-djokbjqu.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
