import assert from "node:assert/strict";
import {
  claimPrivateFolder,
  distrusted,
  preparePrivateFile,
  readWithoutLinks,
  wayTo,
} from "../../src/io/trust.ts";
import type { Unread } from "../../src/io/read_regular.ts";
import { faultOf, inFolder } from "../support/folder.ts";

const asRoot = Deno.uid() === 0;
const said = { attempt: 'cannot use folder "x"', mend: "name another" };

function textOf(read: Uint8Array | Unread): string {
  return typeof read === "string" ? read : new TextDecoder().decode(read);
}

Deno.test("wayTo() passes every folder and link, and what the links lead to", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/a/b`, { recursive: true });
    Deno.symlinkSync("../a", `${folder}/a/up`);
    Deno.symlinkSync(`${folder}/a`, `${folder}/away`);
    const tail = (path: string): string[] =>
      wayTo(path).steps.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`)).map((path) =>
        path.slice(folder.length)
      );
    assert.deepEqual(tail(`${folder}/away/up/b`), ["/away", "/a", "/a/up", "/a", "/a/b"]);
    assert.equal(wayTo(`${folder}/a/b`).steps[0]?.path, "/");
    assert.deepEqual([wayTo(`${folder}/a/b`).isWhole, wayTo(`${folder}/a/none/b`).isWhole], [true, false]);
    Deno.symlinkSync("round", `${folder}/round`);
    assert.match(faultOf(() => wayTo(`${folder}/round`)).message, /too many links/);
  }));

Deno.test("claimPrivateFolder() makes a folder that nobody else may enter, and closes an open one", () =>
  inFolder((folder) => {
    for (const [path, mode] of [[`${folder}/new/inner`, undefined], [`${folder}/open`, 0o755]] as const) {
      if (mode !== undefined) Deno.mkdirSync(path, { mode });
      claimPrivateFolder(path, said);
      assert.equal(Deno.statSync(path).mode! & 0o777, 0o700);
    }
    Deno.writeTextFileSync(`${folder}/file`, "");
    assert.match(
      faultOf(() => claimPrivateFolder(`${folder}/file`, said)).message,
      /^cannot use folder "x": /,
    );
  }));

Deno.test({
  name: "claimPrivateFolder() takes nothing that another user made, owns, or could put another in place of",
  ignore: !asRoot,
  fn: () =>
    inFolder((folder) => {
      const refused = (path: string, why: RegExp): void => {
        const before = Deno.lstatSync(path).mode;
        const { code, message } = faultOf(() => claimPrivateFolder(path, said));
        assert.deepEqual([code, Deno.lstatSync(path).mode], ["forbidden", before]);
        assert.match(message, why);
      };
      Deno.mkdirSync(`${folder}/his`);
      Deno.chownSync(`${folder}/his`, 12345, 12345);
      refused(`${folder}/his`, /: user 12345 owns it; name another$/);
      Deno.mkdirSync(`${folder}/his/mine`);
      refused(`${folder}/his/mine`, /: user 12345 owns ".*\/his", which leads to it; /);
      Deno.mkdirSync(`${folder}/target`, { mode: 0o755 });
      Deno.symlinkSync(`${folder}/target`, `${folder}/link`);
      new Deno.Command("chown", { args: ["-h", "12345", `${folder}/link`] }).outputSync();
      refused(`${folder}/link`, /: user 12345 owns it; /);
      assert.equal(
        Deno.statSync(`${folder}/target`).mode! & 0o777,
        0o755,
        "nothing was done through the link",
      );
      Deno.mkdirSync(`${folder}/everybody`);
      Deno.chmodSync(`${folder}/everybody`, 0o777);
      Deno.mkdirSync(`${folder}/everybody/mine`);
      refused(`${folder}/everybody/mine`, /: others may write ".*\/everybody", which leads to it; /);
      Deno.chmodSync(`${folder}/everybody`, 0o1777);
      claimPrivateFolder(`${folder}/everybody/mine`, said);
    }),
});

Deno.test("preparePrivateFile() never writes through what lies in its way", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/precious`, "precious");
    Deno.symlinkSync(`${folder}/precious`, `${folder}/file.new`);
    Deno.symlinkSync(`${folder}/precious`, `${folder}/file`);
    preparePrivateFile(`${folder}/file`, "text")();
    assert.equal(Deno.readTextFileSync(`${folder}/precious`), "precious");
    assert.equal(Deno.readTextFileSync(`${folder}/file`), "text");
    const { isSymlink, mode } = Deno.lstatSync(`${folder}/file`);
    assert.deepEqual([isSymlink, mode! & 0o777], [false, 0o600]);
  }));

Deno.test("distrusted() trusts the programs of the system", () => {
  assert.equal(distrusted("/bin/sh"), undefined);
});

Deno.test({
  name: "readWithoutLinks() reads what another user has, but by no link of his what is root's",
  ignore: !asRoot,
  fn: () =>
    inFolder((folder) => {
      const his = `${folder}/his`;
      Deno.mkdirSync(his);
      Deno.writeTextFileSync(`${folder}/secret`, "root's", { mode: 0o600 });
      Deno.writeTextFileSync(`${his}/.env`, "A=1");
      for (const path of [his, `${his}/.env`]) Deno.chownSync(path, 12345, 12345);
      assert.equal(textOf(readWithoutLinks(`${his}/.env`, 100, 0)), "A=1");
      Deno.symlinkSync(`${folder}/secret`, `${his}/link`);
      Deno.symlinkSync(folder, `${his}/up`);
      for (const name of ["link", "up"]) {
        new Deno.Command("chown", { args: ["-h", "12345", `${his}/${name}`] }).outputSync();
      }
      for (const path of [`${his}/link`, `${his}/up/secret`]) {
        const { code, message } = faultOf(() => readWithoutLinks(path, 100, 0));
        assert.equal(code, "forbidden");
        assert.match(message, /^refusing ".*": user 12345 owns the link ".*"; name the file itself/);
      }
      Deno.symlinkSync(`${folder}/secret`, `${folder}/own`);
      assert.equal(textOf(readWithoutLinks(`${folder}/own`, 100, 0)), "root's");
    }),
});
