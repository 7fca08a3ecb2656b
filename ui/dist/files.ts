/** Made by tests/support/build_ui.ts. */
import f0 from "./chunk-7KYNOI5T.js" with { type: "text" };
import f1 from "./chunk-NXQKWRD7.js" with { type: "text" };
import f2 from "./chunk-VJCVK6Q5.js" with { type: "text" };
import f3 from "./chunk-XTMQ43WE.js" with { type: "text" };
import f4 from "./daemon_log-LKTNMDOQ.js" with { type: "text" };
import f5 from "./docs.js" with { type: "text" };
import f6 from "./login-5CLOLLRZ.js" with { type: "text" };
import f7 from "./main.js" with { type: "text" };
import f8 from "./notifications-E3JWANGP.js" with { type: "text" };
import f9 from "./overlays-5IRBAILT.js" with { type: "text" };
import f10 from "./overview-Z7T4S74I.js" with { type: "text" };
import f11 from "./run-HKEDBVU7.js" with { type: "text" };
import f12 from "./runs-KOI35JPN.js" with { type: "text" };
import f13 from "./search-HYJYBAA4.js" with { type: "text" };
import f14 from "./stretch_slowly-3KYELKGZ.js" with { type: "text" };
import f15 from "./style.css" with { type: "text" };
import f16 from "./system-ZHDEIMBC.js" with { type: "text" };
import f17 from "./timeline-GPA4RK6G.js" with { type: "text" };
import f18 from "./unit-3PFP3ZPZ.js" with { type: "text" };
import f19 from "./units-NDG2V3V5.js" with { type: "text" };
export const files: Record<string, string> = {
  "chunk-7KYNOI5T.js": f0,
  "chunk-NXQKWRD7.js": f1,
  "chunk-VJCVK6Q5.js": f2,
  "chunk-XTMQ43WE.js": f3,
  "daemon_log-LKTNMDOQ.js": f4,
  "docs.js": f5,
  "login-5CLOLLRZ.js": f6,
  "main.js": f7,
  "notifications-E3JWANGP.js": f8,
  "overlays-5IRBAILT.js": f9,
  "overview-Z7T4S74I.js": f10,
  "run-HKEDBVU7.js": f11,
  "runs-KOI35JPN.js": f12,
  "search-HYJYBAA4.js": f13,
  "stretch_slowly-3KYELKGZ.js": f14,
  "style.css": f15,
  "system-ZHDEIMBC.js": f16,
  "timeline-GPA4RK6G.js": f17,
  "unit-3PFP3ZPZ.js": f18,
  "units-NDG2V3V5.js": f19,
};
