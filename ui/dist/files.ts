/** Made by tools/build_ui.ts. */
import f0 from "./base-epvyapzv.js" with { type: "text" };
import f1 from "./details-hm9lwhzz.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-zkv0l5p2.js" with { type: "text" };
import f4 from "./lists-me3qof2r.js" with { type: "text" };
import f5 from "./login-hkifiycw.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-illsp8yz.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-epvyapzv.js": f0,
  "details-hm9lwhzz.js": f1,
  "docs.js": f2,
  "home-zkv0l5p2.js": f3,
  "lists-me3qof2r.js": f4,
  "login-hkifiycw.js": f5,
  "main.js": f6,
  "overlays-illsp8yz.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
