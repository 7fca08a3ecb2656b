/** Made by tests/support/build_ui.ts. */
import f0 from "./base-n3vw21v0.js" with { type: "text" };
import f1 from "./details-cl2cf5lh.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-crzi6vjt.js" with { type: "text" };
import f4 from "./lists-budrx1gf.js" with { type: "text" };
import f5 from "./login-k09dkl3p.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-oid302gu.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-n3vw21v0.js": f0,
  "details-cl2cf5lh.js": f1,
  "docs.js": f2,
  "home-crzi6vjt.js": f3,
  "lists-budrx1gf.js": f4,
  "login-k09dkl3p.js": f5,
  "main.js": f6,
  "overlays-oid302gu.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
