/** Made by tools/build_ui.ts. */
import f0 from "./base-lgd9m664.js" with { type: "text" };
import f1 from "./details-c4r0h620.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-logmy6u1.js" with { type: "text" };
import f4 from "./lists-fnbirx8e.js" with { type: "text" };
import f5 from "./login-kikoq9n0.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-kwt8dx3k.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-lgd9m664.js": f0,
  "details-c4r0h620.js": f1,
  "docs.js": f2,
  "home-logmy6u1.js": f3,
  "lists-fnbirx8e.js": f4,
  "login-kikoq9n0.js": f5,
  "main.js": f6,
  "overlays-kwt8dx3k.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
