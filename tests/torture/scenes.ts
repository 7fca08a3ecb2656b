import { diskScene } from "./disk_scene.ts";
import { killScene } from "./kill_scene.ts";
import { lockedScene } from "./locked_scene.ts";
import { nastyScene } from "./nasty_scene.ts";
import { readOnlyScene } from "./read_only_scene.ts";
import { reloadScene } from "./reload_scene.ts";
import type { Scene } from "./stage.ts";

/** All scenes by name, in the order in which they are played. */
export const scenes: Record<string, Scene> = {
  kill: killScene,
  disk: diskScene,
  read_only: readOnlyScene,
  locked: lockedScene,
  nasty: nastyScene,
  reload: reloadScene,
};
