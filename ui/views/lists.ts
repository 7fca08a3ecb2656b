/** Loaded together: the views of many things. Few scripts are smaller than many. */
export { default as Runs } from "./runs/runs.tsx";
export { default as Timeline } from "./timeline/timeline.tsx";
export { default as Notifications } from "./notifications/notifications.tsx";
export { default as Search } from "./search/search.tsx";
export { default as System } from "./system/system.tsx";
export { default as DaemonLog } from "./daemon_log/daemon_log.tsx";
