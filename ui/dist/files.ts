/** Made by tests/support/build_ui.ts. */
import f0 from "./base-gct6me22.js" with { type: "text" };
import f1 from "./details-c6nx1jpn.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-gwasi23p.js" with { type: "text" };
import f4 from "./lists-bnfx8lav.js" with { type: "text" };
import f5 from "./login-fk08jmh6.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-bk0qd9j0.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-gct6me22.js": f0,
  "details-c6nx1jpn.js": f1,
  "docs.js": f2,
  "home-gwasi23p.js": f3,
  "lists-bnfx8lav.js": f4,
  "login-fk08jmh6.js": f5,
  "main.js": f6,
  "overlays-bk0qd9j0.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
