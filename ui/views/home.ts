/** Loaded together: the first views. Few scripts are smaller than many. */
export { default as Overview } from "./overview/overview.tsx";
export { default as Units } from "./units/units.tsx";
