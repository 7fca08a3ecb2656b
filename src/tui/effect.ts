import type { Action } from "../cli/client.ts";

/** Parameters of a run by key: null leaves one out, its default too. */
export type Params = Record<string, string | null>;

/** What a key brings about outside of the state. */
export type Effect =
  | { do: "quit" }
  /** Read again what all views show. */
  | { do: "refresh" }
  /** Read what the view that is shown needs. */
  | { do: "load" }
  | { do: "act"; action: Action; names: readonly string[] }
  /** `isShown` opens the run. */
  | { do: "run"; name: string; params: Readonly<Params>; isShown: boolean }
  | { do: "stop run"; id: string }
  | { do: "rerun" | "delete" | "restore"; ids: readonly string[] }
  /** `isDry` asks what would change, which becomes a question. */
  | { do: "reload"; isDry: boolean }
  | { do: "page"; id: string; from: number }
  | { do: "search"; id: string; unit: string; text: string }
  /** What a line was before it was redrawn. */
  | { do: "frames"; id: string; n: number }
  | { do: "more runs"; offset: number; filter: string }
  | { do: "more notices"; before: string }
  | { do: "mark notice"; id: string; isRead: boolean }
  | { do: "read all notices" }
  | { do: "browse" }
  | { do: "mouse"; isOn: boolean };
