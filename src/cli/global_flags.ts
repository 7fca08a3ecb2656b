import { type Command, Option } from "commander";
import { type CommandSpec, countOption } from "./command.ts";

const placeGroup = "Where the daemon is:";
const outputGroup = "Output:";
const listenGroup = "Listening:";

type Need = CommandSpec["needs"];

interface GlobalFlag {
  make: () => Option;
  /** The kinds of command whose help shows it; all take it. */
  shownFor: readonly Need[];
  group: Partial<Record<Need, string>>;
}

const flags: readonly GlobalFlag[] = [
  {
    make: () => new Option("-c, --config <FILE>", "configuration file (SVC_CONFIG; ./svc.toml)"),
    shownFor: ["client", "daemon", "place", "folder", "file"],
    group: { client: placeGroup, daemon: "Files:", place: placeGroup, folder: "Files:", file: "Files:" },
  },
  {
    make: () => new Option("--data <FOLDER>", "data folder (SVC_DATA; .svc beside the configuration)"),
    shownFor: ["client", "daemon", "place", "folder"],
    group: { client: placeGroup, daemon: "Files:", place: placeGroup, folder: "Files:" },
  },
  {
    make: () => new Option("--socket <PATH>", "control socket (SVC_SOCKET; svc.sock in the data folder)"),
    shownFor: ["client", "daemon", "place"],
    group: { client: placeGroup, daemon: "Files:", place: placeGroup },
  },
  {
    make: () => new Option("--url <URL>", "address of a daemon, in place of a control socket (SVC_URL)"),
    shownFor: ["client"],
    group: { client: placeGroup },
  },
  {
    make: () => new Option("--host <ADDRESS>", "address to listen on, or to call (SVC_HOST; 127.0.0.1)"),
    shownFor: ["client", "daemon", "place"],
    group: { client: placeGroup, daemon: listenGroup, place: placeGroup },
  },
  {
    make: () =>
      countOption("-p, --port <PORT>", "port to listen on, 0 for any, or to call (SVC_PORT; 8420)", {
        min: 0,
        max: 65535,
      }),
    shownFor: ["client", "daemon", "place"],
    group: { client: placeGroup, daemon: listenGroup, place: placeGroup },
  },
  {
    make: () => new Option("--json", "answer in JSON, for programs"),
    shownFor: ["client", "place", "folder", "file", "nothing"],
    group: {
      client: outputGroup,
      place: outputGroup,
      folder: outputGroup,
      file: outputGroup,
      nothing: outputGroup,
    },
  },
  {
    make: () =>
      new Option("--log-level <LEVEL>", "what the daemon logs (SVC_LOG_LEVEL; info)")
        .choices(["trace", "debug", "info", "warn", "error"]),
    shownFor: ["daemon"],
    group: { daemon: "Log:" },
  },
  {
    make: () =>
      new Option("--log-format <FORMAT>", "how the daemon logs (SVC_LOG_FORMAT; auto)")
        .choices(["auto", "text", "json"]),
    shownFor: ["daemon"],
    group: { daemon: "Log:" },
  },
];

/** Gives a command the global flags; its help shows those that mean something to it, `--json` where `json` says so. */
export function addGlobalFlags(command: Command, need: Need, { json }: { json: boolean }): void {
  for (const { make, shownFor, group } of flags) {
    const option = make();
    option.helpGroup(group[need] ?? "Options:");
    const isShown = shownFor.includes(need) && (json || option.long !== "--json");
    command.addOption(isShown ? option : option.hideHelp());
  }
}
