/** Made by tests/support/build_ui.ts. */
import f0 from "./chunk-4TA2CQ2G.js" with { type: "text" };
import f1 from "./chunk-5EB3TBLF.js" with { type: "text" };
import f2 from "./chunk-7KYNOI5T.js" with { type: "text" };
import f3 from "./chunk-JV3ZAQ32.js" with { type: "text" };
import f4 from "./chunk-L4ZHAQUD.js" with { type: "text" };
import f5 from "./chunk-ODJIU5RG.js" with { type: "text" };
import f6 from "./chunk-S2TY5KY3.js" with { type: "text" };
import f7 from "./chunk-TGZHMXLN.js" with { type: "text" };
import f8 from "./chunk-UQDPC2HX.js" with { type: "text" };
import f9 from "./chunk-WGD3WBDR.js" with { type: "text" };
import f10 from "./chunk-YU43ZV3S.js" with { type: "text" };
import f11 from "./daemon_log-U5X7WOQJ.js" with { type: "text" };
import f12 from "./docs.js" with { type: "text" };
import f13 from "./login-CPLVYIRG.js" with { type: "text" };
import f14 from "./main.js" with { type: "text" };
import f15 from "./notifications-E3JWANGP.js" with { type: "text" };
import f16 from "./overlays-5GDWKEZI.js" with { type: "text" };
import f17 from "./overview-Z7T4S74I.js" with { type: "text" };
import f18 from "./run-5OY52TBB.js" with { type: "text" };
import f19 from "./runs-KOI35JPN.js" with { type: "text" };
import f20 from "./search-NNJWMNBA.js" with { type: "text" };
import f21 from "./stretch_slowly-3KYELKGZ.js" with { type: "text" };
import f22 from "./style.css" with { type: "text" };
import f23 from "./system-ZHDEIMBC.js" with { type: "text" };
import f24 from "./timeline-GPA4RK6G.js" with { type: "text" };
import f25 from "./unit-3PFP3ZPZ.js" with { type: "text" };
import f26 from "./units-NDG2V3V5.js" with { type: "text" };
export const files: Record<string, string> = {
  "chunk-4TA2CQ2G.js": f0,
  "chunk-5EB3TBLF.js": f1,
  "chunk-7KYNOI5T.js": f2,
  "chunk-JV3ZAQ32.js": f3,
  "chunk-L4ZHAQUD.js": f4,
  "chunk-ODJIU5RG.js": f5,
  "chunk-S2TY5KY3.js": f6,
  "chunk-TGZHMXLN.js": f7,
  "chunk-UQDPC2HX.js": f8,
  "chunk-WGD3WBDR.js": f9,
  "chunk-YU43ZV3S.js": f10,
  "daemon_log-U5X7WOQJ.js": f11,
  "docs.js": f12,
  "login-CPLVYIRG.js": f13,
  "main.js": f14,
  "notifications-E3JWANGP.js": f15,
  "overlays-5GDWKEZI.js": f16,
  "overview-Z7T4S74I.js": f17,
  "run-5OY52TBB.js": f18,
  "runs-KOI35JPN.js": f19,
  "search-NNJWMNBA.js": f20,
  "stretch_slowly-3KYELKGZ.js": f21,
  "style.css": f22,
  "system-ZHDEIMBC.js": f23,
  "timeline-GPA4RK6G.js": f24,
  "unit-3PFP3ZPZ.js": f25,
  "units-NDG2V3V5.js": f26,
};
