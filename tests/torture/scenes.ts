import { deafScene } from "./deaf_scene.ts";
import { descriptorsScene } from "./descriptors_scene.ts";
import { diskScene } from "./disk_scene.ts";
import { freezeScene } from "./freeze_scene.ts";
import { killScene } from "./kill_scene.ts";
import { lockedScene } from "./locked_scene.ts";
import { nastyScene } from "./nasty_scene.ts";
import { readOnlyScene } from "./read_only_scene.ts";
import { reloadScene } from "./reload_scene.ts";
import { signalsScene } from "./signals_scene.ts";
import type { Scene } from "./stage.ts";
import { takeOverScene } from "./take_over_scene.ts";

/** All scenes by name, in the order in which they are played. */
export const scenes: Record<string, Scene> = {
  kill: killScene,
  take_over: takeOverScene,
  disk: diskScene,
  read_only: readOnlyScene,
  locked: lockedScene,
  nasty: nastyScene,
  reload: reloadScene,
  descriptors: descriptorsScene,
  deaf: deafScene,
  signals: signalsScene,
  freeze: freezeScene,
};
