/** Made by tests/support/build_ui.ts. */
import f0 from "./base-bljhiz07.js" with { type: "text" };
import f1 from "./details-g1lg7y7n.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-r87tzs3t.js" with { type: "text" };
import f4 from "./lists-g6i1r7ql.js" with { type: "text" };
import f5 from "./login-d1ehhn2r.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-nfn77rqu.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-bljhiz07.js": f0,
  "details-g1lg7y7n.js": f1,
  "docs.js": f2,
  "home-r87tzs3t.js": f3,
  "lists-g6i1r7ql.js": f4,
  "login-d1ehhn2r.js": f5,
  "main.js": f6,
  "overlays-nfn77rqu.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
