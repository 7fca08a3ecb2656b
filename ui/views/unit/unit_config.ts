import { useEffect, useState } from "preact/hooks";
import type { ConfigJson } from "../../../src/http/schemas/config.ts";
import { daemon } from "../../data/daemon.ts";
import { get, wordsOf } from "../../net/api.ts";

export type UnitConfig = ConfigJson["units"][number];

/** How a unit is defined, with what the list of units does not tell; read anew with each configuration. */
export function useUnitConfig(name: string): { config?: UnitConfig; error?: string } {
  const [state, setState] = useState<{ config?: UnitConfig; error?: string }>({});
  const loadedAt = daemon.value?.config_loaded_at;
  useEffect(() => {
    const gone = new AbortController();
    get("/api/config", {}, gone.signal).then(
      ({ units }) => {
        const config = units.find((unit) => unit.name === name);
        setState(config === undefined ? {} : { config });
      },
      (error) => gone.signal.aborted || setState({ error: wordsOf(error) }),
    );
    return () => gone.abort();
  }, [name, loadedAt]);
  return state;
}
