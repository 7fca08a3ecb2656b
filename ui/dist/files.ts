/** Made by tools/build_ui.ts. */
import f0 from "./base-2o1lwfvk.js" with { type: "text" };
import f1 from "./details-m0ykrpib.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-8klm1b9d.js" with { type: "text" };
import f4 from "./lists-nporptr2.js" with { type: "text" };
import f5 from "./login-bquszxco.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-bi0rsilh.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-2o1lwfvk.js": f0,
  "details-m0ykrpib.js": f1,
  "docs.js": f2,
  "home-8klm1b9d.js": f3,
  "lists-nporptr2.js": f4,
  "login-bquszxco.js": f5,
  "main.js": f6,
  "overlays-bi0rsilh.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
