/** Made by tests/support/build_ui.ts. */
import f0 from "./base-h985i9tq.js" with { type: "text" };
import f1 from "./details-oc50jlyl.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-i3y70bw7.js" with { type: "text" };
import f4 from "./lists-bcre4x09.js" with { type: "text" };
import f5 from "./login-b6gu8r1w.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-mnfe8y5t.js" with { type: "text" };
import f8 from "./stretch_slowly-mv63qd3p.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-h985i9tq.js": f0,
  "details-oc50jlyl.js": f1,
  "docs.js": f2,
  "home-i3y70bw7.js": f3,
  "lists-bcre4x09.js": f4,
  "login-b6gu8r1w.js": f5,
  "main.js": f6,
  "overlays-mnfe8y5t.js": f7,
  "stretch_slowly-mv63qd3p.js": f8,
  "style.css": f9,
};
