import { takeDataFolder } from "../../src/daemon/data_folder.ts";
import { inFolder } from "../support/folder.ts";

Deno.test("takeDataFolder() gives a folder that is released though a file of its can't be removed", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/data`;
    const first = takeDataFolder(path);
    // Stands in for a disk that has turned read-only: this can't be removed either.
    await Deno.mkdir(`${path}/daemon.json/in_the_way`, { recursive: true });
    first.release();
    takeDataFolder(path).release();
  });
});
