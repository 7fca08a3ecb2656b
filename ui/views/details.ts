/** Loaded together: the views of one unit and one run, which share the log. Few scripts are smaller than many. */
export { default as Unit } from "./unit/unit.tsx";
export { default as Run } from "./run/run.tsx";
