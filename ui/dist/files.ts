/** Made by tools/build_ui.ts. */
import f0 from "./base-e9n51kao.js" with { type: "text" };
import f1 from "./details-gkbxmpk1.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-fs1f7ho3.js" with { type: "text" };
import f4 from "./lists-jtvsv48v.js" with { type: "text" };
import f5 from "./login-dwkx0rjl.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-e9e9pscw.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-e9n51kao.js": f0,
  "details-gkbxmpk1.js": f1,
  "docs.js": f2,
  "home-fs1f7ho3.js": f3,
  "lists-jtvsv48v.js": f4,
  "login-dwkx0rjl.js": f5,
  "main.js": f6,
  "overlays-e9e9pscw.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
