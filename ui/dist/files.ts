/** Made by tests/support/build_ui.ts. */
import f0 from "./base-haoo4qps.js" with { type: "text" };
import f1 from "./details-o7x7edbu.js" with { type: "text" };
import f2 from "./docs.js" with { type: "text" };
import f3 from "./home-dgoc7un5.js" with { type: "text" };
import f4 from "./lists-ji3huh0a.js" with { type: "text" };
import f5 from "./login-nhzvv2tj.js" with { type: "text" };
import f6 from "./main.js" with { type: "text" };
import f7 from "./overlays-jw3zjf35.js" with { type: "text" };
import f8 from "./stretch_slowly-g46x3l8s.js" with { type: "text" };
import f9 from "./style.css" with { type: "text" };
export const files: Record<string, string> = {
  "base-haoo4qps.js": f0,
  "details-o7x7edbu.js": f1,
  "docs.js": f2,
  "home-dgoc7un5.js": f3,
  "lists-ji3huh0a.js": f4,
  "login-nhzvv2tj.js": f5,
  "main.js": f6,
  "overlays-jw3zjf35.js": f7,
  "stretch_slowly-g46x3l8s.js": f8,
  "style.css": f9,
};
