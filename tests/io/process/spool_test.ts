import assert from "node:assert/strict";
import { planSpool, readSpoolName } from "../../../src/core/spool.ts";
import { FilePart } from "../../../src/io/process/spool_file.ts";
import { gate, nextGate, Numbers, PipeKeeper, readersOf } from "./pipe_keeper.ts";

const text = new TextDecoder();

/** What a test waits for comes within this, or it fails, ms. */
const bound = 20_000;

async function within<Result>(promise: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it did not come in time")), bound);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

Deno.test("output that is moved to files while it comes is whole and in order, and no file is left", async () => {
  await using keeper = await PipeKeeper.start("seq 1 300000");
  const numbers = new Numbers();
  let chunks = 0;
  const pipe = keeper.readMovable((chunk, position) => {
    assert.equal(position !== undefined, chunks > 3, "chunks of files have a place, others have none");
    return numbers.take(chunk, position);
  }, () => ++chunks > 3);
  await within(pipe.ended);
  assert.equal(numbers.seen, 300_000);
  assert.deepEqual([keeper.files(), keeper.said], [[], []]);
});

Deno.test("a part of a line comes at once by way of files, and a place tells what was given", async () => {
  await using keeper = await PipeKeeper.start(`printf abc; ${gate}`);
  const came = Promise.withResolvers<void>();
  let got = "";
  let place: unknown;
  keeper.follow((chunk, position) => {
    got += text.decode(chunk);
    place = position;
    came.resolve();
    return chunk.length;
  });
  await within(came.promise);
  assert.deepEqual([got, place], ["abc", { file: 0, offset: 3 }]);
});

Deno.test("what is taken in parts comes again from where it was left", async () => {
  await using keeper = await PipeKeeper.start("seq 1 5000");
  const numbers = new Numbers();
  const pipe = keeper.follow((chunk, position) => numbers.take(chunk.subarray(0, 777), position));
  await within(pipe.ended);
  assert.equal(numbers.seen, 5_000);
});

Deno.test("a flood waits in the pipe: files stay bounded, and nothing of it is lost", async () => {
  await using keeper = await PipeKeeper.start("head -c 200000000 /dev/zero");
  let bytes = 0;
  let most = 0;
  const pipe = keeper.follow((chunk) => {
    bytes += chunk.length;
    if (Math.random() < 0.01) most = Math.max(most, sizeOf(keeper.folder));
    return chunk.length;
  });
  await within(pipe.ended);
  assert.equal(bytes, 200_000_000);
  assert.ok(most <= 64 * 1024 * 1024, `${most} bytes of files`);
  assert.deepEqual(keeper.said, []);
});

function sizeOf(folder: string): number {
  return [...Deno.readDirSync(folder)].reduce(
    (sum, { name }) => sum + Deno.statSync(`${folder}/${name}`).size,
    0,
  );
}

Deno.test("a reader that is killed is told, and the stream goes on", async () => {
  await using keeper = await PipeKeeper.start(`echo 1; ${gate}; seq 2 1000`);
  const numbers = new Numbers();
  const pipe = keeper.follow(numbers.take);
  await within(numbers.reach(1));
  const [pid] = readersOf(keeper.folder).values();
  Deno.kill(pid!, "SIGKILL");
  await within(until(() => keeper.said.length > 0));
  assert.match(keeper.said[0]!, /ended by SIGKILL/);
  await within(keeper.open());
  await within(pipe.ended);
  assert.equal(numbers.seen, 1000);
});

Deno.test("the next daemon reads on where the place says, with the reader that lives, and with new ones", async () => {
  await using keeper = await PipeKeeper.start(`seq 1 50000; ${gate}; seq 50001 100000`);
  const numbers = new Numbers();
  // Files of an earlier daemon: one that it has read in part, one whose reader lives.
  await keeper.leave();
  const first = keeper.dd(0, 1);
  await first.status;
  const second = keeper.dd(1, 1024);
  const head = Deno.readFileSync(`${keeper.folder}/R1.1.0`).subarray(0, 100);
  numbers.take(head);
  const files = [...Deno.readDirSync(keeper.folder)].map(({ name }) => ({
    number: Number(readSpoolName(name)!.number),
    size: Deno.statSync(`${keeper.folder}/${name}`).size,
  }));
  const plan = planSpool({ files, readers: [1], position: { file: 0, offset: 100 } });
  const pipe = keeper.follow(numbers.take, { plan, readers: new Map([[1, second.pid]]) });
  await within(numbers.reach(50_000));
  assert.equal(numbers.position?.file, 1);
  await within(keeper.open());
  await within(pipe.ended);
  await second.status;
  assert.equal(numbers.seen, 100_000);
  assert.deepEqual([keeper.files(), keeper.said], [[], []]);
});

Deno.test("where no file can be had, output comes through a pipe, and that is told", async () => {
  await using keeper = await PipeKeeper.start("seq 1 100000");
  const spools = `${keeper.folder}/gone`;
  const numbers = new Numbers();
  const pipe = keeper.follow(numbers.take, { folder: spools });
  await within(pipe.ended);
  assert.equal(numbers.seen, 100_000);
  assert.match(keeper.said[0]!, /can't go by way of files/);
});

Deno.test({
  name: "on a full disk output comes through a pipe, and what may be lost is told",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using keeper = await PipeKeeper.start(`${gate}; head -c 3000000 /dev/zero`);
    const spools = `${keeper.folder}/small`;
    Deno.mkdirSync(spools);
    const mount = await run("mount", "-t", "tmpfs", "-o", "size=1m", "svc-test", spools);
    if (!mount.success) return; // not allowed here
    try {
      Deno.writeFileSync(`${spools}/filler`, new Uint8Array(900_000));
      let bytes = 0;
      const pipe = keeper.follow((chunk) => (bytes += chunk.length, chunk.length), { folder: spools });
      await within(keeper.open());
      await within(pipe.ended);
      assert.match(keeper.said[0]!, /gave up with code 1 .*64 KiB may be lost/);
      assert.ok(bytes >= 3_000_000 - 64 * 1024 && bytes < 3_000_000, `${bytes} came`);
    } finally {
      await run("umount", spools);
    }
  },
});

function run(program: string, ...args: string[]): Promise<Deno.CommandOutput> {
  return new Deno.Command(program, { args }).output();
}

Deno.test("cancelled, a stream ends, its reader with it; muted, strays write on into nothing", async () => {
  await using keeper = await PipeKeeper.start(`echo 1; ${gate}; seq 2 100000; ${nextGate}`);
  const numbers = new Numbers();
  const one = keeper.follow(numbers.take);
  await within(numbers.reach(1));
  one.cancel();
  await within(one.ended);
  assert.deepEqual(keeper.files(), []);
  await within(until(() => readersOf(keeper.folder).size === 0));
  const other = keeper.follow(numbers.take);
  other.mute();
  await within(other.held!);
  await within(keeper.open());
  await within(keeper.open(2)); // it has written all, and nothing of it came here
  assert.equal(numbers.seen, 1);
  await within(until(() => keeper.files().length === 0));
  await within(other.ended);
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("a file that can't be read for the moment is not taken for one that is gone", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-spool-" });
  const path = `${folder}/file`;
  const part = new FilePart({ number: 0, path, name: "file", offset: 1 });
  const buffer = new Uint8Array(10);
  assert.equal(part.read(buffer), "gone");
  // As with too many open files, there is something, and the system refuses it.
  await Deno.mkdir(path);
  assert.equal(part.read(buffer), "refused");
  await Deno.remove(path);
  await Deno.writeTextFile(path, "abc");
  assert.deepEqual([part.read(buffer), new TextDecoder().decode(buffer.subarray(0, 2))], [2, "bc"]);
  part.remove();
  await Deno.remove(folder, { recursive: true });
});
