/** Made by tests/support/build_ui.ts. */
import f0 from "./base-dvqcrpwk.js" with { type: "text" };
import f1 from "./details-g03zvlve.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-jv0qivdn.js" with { type: "text" };
import f4 from "./lists-dmfbblg6.js" with { type: "text" };
import f5 from "./login-gvqjc1zy.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-elryiezm.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-dvqcrpwk.js": f0,
  "details-g03zvlve.js": f1,
  "docs.js": f2,
  "home-jv0qivdn.js": f3,
  "lists-dmfbblg6.js": f4,
  "login-gvqjc1zy.js": f5,
  "main.js": f6,
  "overlays-elryiezm.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
