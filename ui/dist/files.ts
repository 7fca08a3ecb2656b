/** Made by tools/build_ui.ts. */
import f0 from "./base-lzmpq334.js" with { type: "text" };
import f1 from "./details-3vizumnv.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-ly8fvefa.js" with { type: "text" };
import f4 from "./lists-k7f05zsk.js" with { type: "text" };
import f5 from "./login-eb3pby1e.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-flu0gu5v.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-lzmpq334.js": f0,
  "details-3vizumnv.js": f1,
  "docs.js": f2,
  "home-ly8fvefa.js": f3,
  "lists-k7f05zsk.js": f4,
  "login-eb3pby1e.js": f5,
  "main.js": f6,
  "overlays-flu0gu5v.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
