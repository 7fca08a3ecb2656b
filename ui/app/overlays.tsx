export { Palette } from "./palette.tsx";
export { Help } from "./help.tsx";
