/** Made by tests/support/build_ui.ts. */
import f0 from "./base-mr5fpsyh.js" with { type: "text" };
import f1 from "./details-f6w4sqwd.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-gvnr9p9o.js" with { type: "text" };
import f4 from "./lists-osz1s9h2.js" with { type: "text" };
import f5 from "./login-lu6w7c1a.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-olzaodzj.js" with { type: "text" };
import f8 from "./stretch_slowly-mv63qd3p.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-mr5fpsyh.js": f0,
  "details-f6w4sqwd.js": f1,
  "docs.js": f2,
  "home-gvnr9p9o.js": f3,
  "lists-osz1s9h2.js": f4,
  "login-lu6w7c1a.js": f5,
  "main.js": f6,
  "overlays-olzaodzj.js": f7,
  "stretch_slowly-mv63qd3p.js": f8,
  "style.css": f9,
};
