/** Made by tests/support/build_ui.ts. */
import f0 from "./chunk-2SEMFXDT.js" with { type: "text" };
import f1 from "./chunk-3NV3TAEO.js" with { type: "text" };
import f2 from "./chunk-3W7CIHGJ.js" with { type: "text" };
import f3 from "./chunk-46N7R64W.js" with { type: "text" };
import f4 from "./chunk-AEQVRJRA.js" with { type: "text" };
import f5 from "./chunk-CWETSGLR.js" with { type: "text" };
import f6 from "./chunk-D4GVR2JF.js" with { type: "text" };
import f7 from "./chunk-EQP3XBGD.js" with { type: "text" };
import f8 from "./chunk-FPTNCNL2.js" with { type: "text" };
import f9 from "./chunk-G6EGLPHE.js" with { type: "text" };
import f10 from "./chunk-HNC3QUNJ.js" with { type: "text" };
import f11 from "./chunk-I2JFDHSA.js" with { type: "text" };
import f12 from "./chunk-IRDKBU4A.js" with { type: "text" };
import f13 from "./chunk-KLV3COAE.js" with { type: "text" };
import f14 from "./chunk-LHZGTPGQ.js" with { type: "text" };
import f15 from "./chunk-S4C7B2RA.js" with { type: "text" };
import f16 from "./chunk-TEANGMDY.js" with { type: "text" };
import f17 from "./chunk-TGZHMXLN.js" with { type: "text" };
import f18 from "./chunk-UNCUYY3A.js" with { type: "text" };
import f19 from "./chunk-X4X6V4OS.js" with { type: "text" };
import f20 from "./chunk-ZLKZN7FI.js" with { type: "text" };
import f21 from "./chunk-ZT3ROB4T.js" with { type: "text" };
import f22 from "./daemon_log-N63CE37K.js" with { type: "text" };
import f23 from "./docs.js" with { type: "text" };
import f24 from "./log_view-GSDNIZ2V.js" with { type: "text" };
import f25 from "./login-2YDH5VXN.js" with { type: "text" };
import f26 from "./main.js" with { type: "text" };
import f27 from "./notifications-ZWSSF7RQ.js" with { type: "text" };
import f28 from "./overlays-V23GGQKY.js" with { type: "text" };
import f29 from "./overview-2E4GEJTW.js" with { type: "text" };
import f30 from "./run-RNAPXLBH.js" with { type: "text" };
import f31 from "./runs-RAK5UOHN.js" with { type: "text" };
import f32 from "./search-ZDT2NRX6.js" with { type: "text" };
import f33 from "./stretch_slowly-3KYELKGZ.js" with { type: "text" };
import f34 from "./style.css" with { type: "text" };
import f35 from "./system-2SOOAZEG.js" with { type: "text" };
import f36 from "./timeline-J2GEU6XV.js" with { type: "text" };
import f37 from "./unit-OE5E5PFJ.js" with { type: "text" };
import f38 from "./units-PHWTUJF4.js" with { type: "text" };
export const files: Record<string, string> = {
  "chunk-2SEMFXDT.js": f0,
  "chunk-3NV3TAEO.js": f1,
  "chunk-3W7CIHGJ.js": f2,
  "chunk-46N7R64W.js": f3,
  "chunk-AEQVRJRA.js": f4,
  "chunk-CWETSGLR.js": f5,
  "chunk-D4GVR2JF.js": f6,
  "chunk-EQP3XBGD.js": f7,
  "chunk-FPTNCNL2.js": f8,
  "chunk-G6EGLPHE.js": f9,
  "chunk-HNC3QUNJ.js": f10,
  "chunk-I2JFDHSA.js": f11,
  "chunk-IRDKBU4A.js": f12,
  "chunk-KLV3COAE.js": f13,
  "chunk-LHZGTPGQ.js": f14,
  "chunk-S4C7B2RA.js": f15,
  "chunk-TEANGMDY.js": f16,
  "chunk-TGZHMXLN.js": f17,
  "chunk-UNCUYY3A.js": f18,
  "chunk-X4X6V4OS.js": f19,
  "chunk-ZLKZN7FI.js": f20,
  "chunk-ZT3ROB4T.js": f21,
  "daemon_log-N63CE37K.js": f22,
  "docs.js": f23,
  "log_view-GSDNIZ2V.js": f24,
  "login-2YDH5VXN.js": f25,
  "main.js": f26,
  "notifications-ZWSSF7RQ.js": f27,
  "overlays-V23GGQKY.js": f28,
  "overview-2E4GEJTW.js": f29,
  "run-RNAPXLBH.js": f30,
  "runs-RAK5UOHN.js": f31,
  "search-ZDT2NRX6.js": f32,
  "stretch_slowly-3KYELKGZ.js": f33,
  "style.css": f34,
  "system-2SOOAZEG.js": f35,
  "timeline-J2GEU6XV.js": f36,
  "unit-OE5E5PFJ.js": f37,
  "units-PHWTUJF4.js": f38,
};
