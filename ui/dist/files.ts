/** Made by tests/support/build_ui.ts. */
import f0 from "./base-l05x7zxn.js" with { type: "text" };
import f1 from "./details-mgeagb9d.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-fb8tlo3e.js" with { type: "text" };
import f4 from "./lists-ewwjwrhx.js" with { type: "text" };
import f5 from "./login-mf6j4mbg.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-ga5knwku.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-l05x7zxn.js": f0,
  "details-mgeagb9d.js": f1,
  "docs.js": f2,
  "home-fb8tlo3e.js": f3,
  "lists-ewwjwrhx.js": f4,
  "login-mf6j4mbg.js": f5,
  "main.js": f6,
  "overlays-ga5knwku.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
