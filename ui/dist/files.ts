/** Made by tests/support/build_ui.ts. */
import f0 from "./base-e85z7yrh.js" with { type: "text" };
import f1 from "./details-f69j1b7v.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-fk7k4gzk.js" with { type: "text" };
import f4 from "./lists-h9pd1ay1.js" with { type: "text" };
import f5 from "./login-z5xp9x9c.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-b937r1t6.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-e85z7yrh.js": f0,
  "details-f69j1b7v.js": f1,
  "docs.js": f2,
  "home-fk7k4gzk.js": f3,
  "lists-h9pd1ay1.js": f4,
  "login-z5xp9x9c.js": f5,
  "main.js": f6,
  "overlays-b937r1t6.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
