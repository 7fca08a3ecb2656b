import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { lockFolder } from "../../src/io/folder_lock.ts";
import { Store } from "../../src/io/store/store.ts";
import { restore } from "../../src/local/restore.ts";
import { faultOf, inFolder, write } from "../support/folder.ts";
import { noon } from "../support/units.ts";

/** Makes the database of a daemon with a setting in it, which tells it from others. */
function makeDatabase(path: string, value: string): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  const store = new Store(path);
  store.setting("told", () => value);
  store.close();
}

function valueIn(path: string): string {
  using db = new DatabaseSync(path);
  return String(db.prepare("SELECT value FROM meta WHERE key = 'told'").get()?.value);
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

const kept = "svc.db.before-restore-20270115-120000";

Deno.test("restore() puts a backup in place, and keeps the database before it", async () => {
  await inFolder((folder) => {
    const data = `${folder}/data`;
    makeDatabase(`${data}/svc.db`, "old");
    makeDatabase(`${folder}/backup.db`, "new");
    const done = restore({ data }, { file: `${folder}/backup.db`, now: noon });
    assert.deepEqual({ ...done, schema: 0 }, {
      database: `${data}/svc.db`,
      kept: `${data}/${kept}`,
      runs: 0,
      schema: 0,
    });
    assert.equal(valueIn(`${data}/svc.db`), "new");
    assert.equal(valueIn(done.kept!), "old");
    assert.equal(valueIn(`${folder}/backup.db`), "new");
    assert.deepEqual(namesIn(data), ["svc.db", kept]);
    // A second one in the same second keeps what the first put there, too.
    restore({ data }, { file: done.kept!, now: noon });
    assert.deepEqual(namesIn(data), ["svc.db", kept, `${kept}-2`]);
    assert.equal(valueIn(`${data}/svc.db`), "old");
  });
});

Deno.test("restore() makes the data folder of a new machine", async () => {
  await inFolder((folder) => {
    makeDatabase(`${folder}/backup.db`, "new");
    const data = `${folder}/data/of/svc`;
    assert.equal(restore({ data }, { file: `${folder}/backup.db`, now: noon }).kept, undefined);
    assert.equal(valueIn(`${data}/svc.db`), "new");
    assert.equal(Deno.statSync(data).mode! & 0o777, 0o700);
  });
});

Deno.test("restore() keeps what a daemon that died had in its write-ahead log", async () => {
  await inFolder((folder) => {
    const data = `${folder}/data`;
    makeDatabase(`${data}/live.db`, "before");
    makeDatabase(`${folder}/backup.db`, "new");
    // Copied while it is open, as a death leaves it.
    const store = new Store(`${data}/live.db`);
    store.reserve("in the log", { count: 1 });
    for (const suffix of ["", "-wal"]) {
      Deno.copyFileSync(`${data}/live.db${suffix}`, `${data}/svc.db${suffix}`);
    }
    store.close();
    assert.ok(Deno.statSync(`${data}/svc.db-wal`).size > 0);
    restore({ data }, { file: `${folder}/backup.db`, now: noon });
    assert.deepEqual(namesIn(data), ["live.db", "svc.db", kept]);
    using db = new DatabaseSync(`${data}/${kept}`);
    assert.equal(db.prepare("SELECT value FROM meta WHERE key = 'in the log'").get()?.value, "1");
  });
});

Deno.test("restore() replaces a damaged database, whose log goes with it", async () => {
  await inFolder((folder) => {
    const data = `${folder}/data`;
    write(`${data}/svc.db`, "no database at all");
    write(`${data}/svc.db-wal`, "nor a log");
    makeDatabase(`${folder}/backup.db`, "new");
    restore({ data }, { file: `${folder}/backup.db`, now: noon });
    assert.deepEqual(namesIn(data), ["svc.db", kept, `${kept}-wal`]);
    assert.equal(valueIn(`${data}/svc.db`), "new");
  });
});

Deno.test("restore() refuses what is no whole backup of ours, and changes nothing", async () => {
  await inFolder((folder) => {
    const data = `${folder}/data`;
    makeDatabase(`${data}/svc.db`, "old");
    makeDatabase(`${folder}/good.db`, "new");
    const good = Deno.readFileSync(`${folder}/good.db`);
    write(`${folder}/half.db`, good.slice(0, good.length / 2));
    write(`${folder}/text.db`, "hello");
    write(`${folder}/empty.db`, "");
    write(`${folder}/damaged.db`, good.slice().fill(0xff, 5000, 9000));
    const alter = (name: string, sql: string): void => {
      write(`${folder}/${name}`, good);
      using db = new DatabaseSync(`${folder}/${name}`);
      db.exec(sql);
    };
    alter("newer.db", "PRAGMA user_version = 99");
    alter("lacking.db", "DROP TABLE retries");
    using other = new DatabaseSync(`${folder}/other.db`);
    other.exec("CREATE TABLE x (a); PRAGMA user_version = 1");
    write(`${folder}/live.db`, good);
    write(`${folder}/live.db-wal`, "something");
    new Deno.Command("mkfifo", { args: [`${folder}/pipe.db`] }).outputSync();
    const refused: [name: string, why: RegExp][] = [
      ["half.db", /no whole SQLite database|damaged/],
      ["text.db", /no whole SQLite database/],
      ["empty.db", /something else than svc/],
      ["damaged.db", /damaged|malformed|no whole/],
      ["newer.db", /a newer svc \(schema 99, this one knows \d+\)/],
      ["lacking.db", /it lacks table retries/],
      ["other.db", /something else than svc/],
      ["live.db", /the database of a daemon, not a backup/],
      ["nothing.db", /no such file/],
      ["pipe.db", /it is no regular file; nothing was changed/],
    ];
    for (const [name, why] of refused) {
      const { message } = faultOf(() => restore({ data }, { file: `${folder}/${name}`, now: noon }));
      assert.match(message, why, name);
      assert.deepEqual(namesIn(data), ["svc.db"], name);
    }
    assert.equal(valueIn(`${data}/svc.db`), "old");
  });
});

Deno.test("restore() refuses while a daemon holds the data folder, and names it", async () => {
  await inFolder((folder) => {
    const data = `${folder}/data`;
    makeDatabase(`${data}/svc.db`, "old");
    makeDatabase(`${folder}/backup.db`, "new");
    const lock = lockFolder(data);
    const { code, message } = faultOf(() => restore({ data }, { file: `${folder}/backup.db`, now: noon }));
    assert.equal(code, "conflict");
    assert.match(message, new RegExp(`in use by a running daemon \\(pid ${Deno.pid}\\)`));
    lock.release();
    assert.deepEqual(namesIn(data), ["svc.db"]);
  });
});

Deno.test("restore() refuses a file that would act by itself, or whose names lead elsewhere, and changes nothing", async () => {
  await inFolder((folder) => {
    const data = `${folder}/data`;
    makeDatabase(`${data}/svc.db`, "old");
    const row = "VALUES ('%id', '%unit', 'ended', 0, 'cron', 1)";
    const runs = (id: string, unit: string): string =>
      `INSERT INTO runs (id, unit, status, exit_code, trigger, created_at) ${row}`.replace("%id", id)
        .replace("%unit", unit);
    const cases: [string, RegExp][] = [
      [
        "CREATE TRIGGER x AFTER INSERT ON runs BEGIN SELECT 1; END",
        /it has a trigger x that svc has not made/,
      ],
      ["CREATE VIEW v AS SELECT 1", /it has a view v that/],
      [
        "DROP TRIGGER log_gone; CREATE TRIGGER log_gone AFTER DELETE ON runs BEGIN SELECT 2; END",
        /trigger log_gone/,
      ],
      [runs("../../x", "a"), /it has a run with the id "\.\.\/\.\.\/x" of the unit "a"/],
      [runs("R1", "../x"), /of the unit "\.\.\/x"/],
    ];
    for (const [sql, message] of cases) {
      const file = `${folder}/crafted.db`;
      makeDatabase(file, "crafted");
      {
        using db = new DatabaseSync(file);
        db.exec(sql);
      }
      assert.match(faultOf(() => restore({ data }, { file, now: noon })).message, message);
      assert.equal(valueIn(`${data}/svc.db`), "old");
      for (const end of ["", "-wal", "-shm"]) {
        if (namesIn(folder).includes(`crafted.db${end}`)) Deno.removeSync(file + end);
      }
    }
  });
});

Deno.test("restore() lets nothing of a backup act: no pid, no run that waits, no retry, container or delivery", async () => {
  await inFolder((folder) => {
    const data = `${folder}/data`;
    const file = `${folder}/backup.db`;
    makeDatabase(file, "new");
    {
      using db = new DatabaseSync(file);
      db.exec(
        `INSERT INTO runs (id, unit, status, exit_code, trigger, created_at, pid, start_ticks, boot_id, nonce, kept)
        VALUES ('R1', 'a', 'running', 0, 'cron', 1, ${Deno.pid}, '1', 'b', 'n', '{}'), ('R2', 'a', 'pending', 0, 'api', 1, NULL, NULL, NULL, NULL, NULL);
        INSERT INTO retries (of_run, attempt, unit, due_at, trigger, params) VALUES ('R1', 1, 'a', 1, 'cron', '{"P":"x"}');
        INSERT INTO containers (run_id, unit, instance) VALUES ('x --help', 'a', 0)`,
      );
    }
    assert.equal(restore({ data }, { file, now: noon }).runs, 2);
    using db = new DatabaseSync(`${data}/svc.db`);
    const rows = db.prepare("SELECT id, status, end_reason, exit_code, pid, boot_id FROM runs ORDER BY id")
      .all();
    assert.deepEqual(rows.map((row) => Object.values(row)), [
      ["R1", "ended", "crashed", -2, null, null],
      ["R2", "ended", "stopped", -1, null, null],
    ]);
    for (const table of ["retries", "containers", "deliveries"]) {
      assert.equal(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n, 0, table);
    }
  });
});
