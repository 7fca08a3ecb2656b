/** Made by tests/support/build_ui.ts. */
import f0 from "./chunk-46N7R64W.js" with { type: "text" };
import f1 from "./chunk-74HDAMSP.js" with { type: "text" };
import f2 from "./chunk-767NLRSL.js" with { type: "text" };
import f3 from "./chunk-7KYNOI5T.js" with { type: "text" };
import f4 from "./chunk-CDWB5N2O.js" with { type: "text" };
import f5 from "./chunk-ELOTQ45Z.js" with { type: "text" };
import f6 from "./chunk-ERWNGQTF.js" with { type: "text" };
import f7 from "./chunk-FJUFPA7O.js" with { type: "text" };
import f8 from "./chunk-IIPJ4T6P.js" with { type: "text" };
import f9 from "./chunk-NF2FNLAH.js" with { type: "text" };
import f10 from "./chunk-NUCTOHCV.js" with { type: "text" };
import f11 from "./chunk-NZBWM7OU.js" with { type: "text" };
import f12 from "./chunk-ODJIU5RG.js" with { type: "text" };
import f13 from "./chunk-PPN7M6VH.js" with { type: "text" };
import f14 from "./chunk-S4ZPMX6Z.js" with { type: "text" };
import f15 from "./chunk-TEANGMDY.js" with { type: "text" };
import f16 from "./chunk-TGZHMXLN.js" with { type: "text" };
import f17 from "./chunk-UQDPC2HX.js" with { type: "text" };
import f18 from "./chunk-VVWCLERD.js" with { type: "text" };
import f19 from "./chunk-WGD3WBDR.js" with { type: "text" };
import f20 from "./chunk-YBMFBCPQ.js" with { type: "text" };
import f21 from "./daemon_log-CTDGO5EA.js" with { type: "text" };
import f22 from "./docs.js" with { type: "text" };
import f23 from "./log_view-MU5RPTHW.js" with { type: "text" };
import f24 from "./login-CPLVYIRG.js" with { type: "text" };
import f25 from "./main.js" with { type: "text" };
import f26 from "./notifications-E3JWANGP.js" with { type: "text" };
import f27 from "./overlays-ZPYINK46.js" with { type: "text" };
import f28 from "./overview-FXRDQ42V.js" with { type: "text" };
import f29 from "./run-2OGN3XXE.js" with { type: "text" };
import f30 from "./runs-KOI35JPN.js" with { type: "text" };
import f31 from "./search-IQZIW2Y7.js" with { type: "text" };
import f32 from "./stretch_slowly-3KYELKGZ.js" with { type: "text" };
import f33 from "./style.css" with { type: "text" };
import f34 from "./system-ZHDEIMBC.js" with { type: "text" };
import f35 from "./timeline-GPA4RK6G.js" with { type: "text" };
import f36 from "./unit-2LJWDYNH.js" with { type: "text" };
import f37 from "./units-63FFZSPJ.js" with { type: "text" };
export const files: Record<string, string> = {
  "chunk-46N7R64W.js": f0,
  "chunk-74HDAMSP.js": f1,
  "chunk-767NLRSL.js": f2,
  "chunk-7KYNOI5T.js": f3,
  "chunk-CDWB5N2O.js": f4,
  "chunk-ELOTQ45Z.js": f5,
  "chunk-ERWNGQTF.js": f6,
  "chunk-FJUFPA7O.js": f7,
  "chunk-IIPJ4T6P.js": f8,
  "chunk-NF2FNLAH.js": f9,
  "chunk-NUCTOHCV.js": f10,
  "chunk-NZBWM7OU.js": f11,
  "chunk-ODJIU5RG.js": f12,
  "chunk-PPN7M6VH.js": f13,
  "chunk-S4ZPMX6Z.js": f14,
  "chunk-TEANGMDY.js": f15,
  "chunk-TGZHMXLN.js": f16,
  "chunk-UQDPC2HX.js": f17,
  "chunk-VVWCLERD.js": f18,
  "chunk-WGD3WBDR.js": f19,
  "chunk-YBMFBCPQ.js": f20,
  "daemon_log-CTDGO5EA.js": f21,
  "docs.js": f22,
  "log_view-MU5RPTHW.js": f23,
  "login-CPLVYIRG.js": f24,
  "main.js": f25,
  "notifications-E3JWANGP.js": f26,
  "overlays-ZPYINK46.js": f27,
  "overview-FXRDQ42V.js": f28,
  "run-2OGN3XXE.js": f29,
  "runs-KOI35JPN.js": f30,
  "search-IQZIW2Y7.js": f31,
  "stretch_slowly-3KYELKGZ.js": f32,
  "style.css": f33,
  "system-ZHDEIMBC.js": f34,
  "timeline-GPA4RK6G.js": f35,
  "unit-2LJWDYNH.js": f36,
  "units-63FFZSPJ.js": f37,
};
