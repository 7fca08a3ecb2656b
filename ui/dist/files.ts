/** Made by tests/support/build_ui.ts. */
import f0 from "./base-kb5jsvay.js" with { type: "text" };
import f1 from "./details-pdfx0thz.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-ndfhxcod.js" with { type: "text" };
import f4 from "./lists-bra87422.js" with { type: "text" };
import f5 from "./login-b7pdv31b.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-d6cccow9.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-kb5jsvay.js": f0,
  "details-pdfx0thz.js": f1,
  "docs.js": f2,
  "home-ndfhxcod.js": f3,
  "lists-bra87422.js": f4,
  "login-b7pdv31b.js": f5,
  "main.js": f6,
  "overlays-d6cccow9.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
