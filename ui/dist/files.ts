/** Made by tests/support/build_ui.ts. */
import f0 from "./base-f5p7ksj1.js" with { type: "text" };
import f1 from "./details-fky25d0y.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-klqy47kt.js" with { type: "text" };
import f4 from "./lists-c17fv35n.js" with { type: "text" };
import f5 from "./login-fi23m8q6.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-cqkrbas8.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-f5p7ksj1.js": f0,
  "details-fky25d0y.js": f1,
  "docs.js": f2,
  "home-klqy47kt.js": f3,
  "lists-c17fv35n.js": f4,
  "login-fi23m8q6.js": f5,
  "main.js": f6,
  "overlays-cqkrbas8.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
