/** Made by tests/support/build_ui.ts. */
import f0 from "./base-ok3khlx2.js" with { type: "text" };
import f1 from "./details-jqmldtyo.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-iz142osc.js" with { type: "text" };
import f4 from "./lists-fedealwf.js" with { type: "text" };
import f5 from "./login-chejojll.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-dmqf5bwh.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-ok3khlx2.js": f0,
  "details-jqmldtyo.js": f1,
  "docs.js": f2,
  "home-iz142osc.js": f3,
  "lists-fedealwf.js": f4,
  "login-chejojll.js": f5,
  "main.js": f6,
  "overlays-dmqf5bwh.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
