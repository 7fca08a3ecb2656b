import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { minute, second, service } from "../support/units.ts";

const compose = { file: "/c/shop.yaml", projectName: "c", service: "web" };
const web = service({ name: "web", compose, gracefulStop: 10 * second });

Deno.test("A stop of a container is a signal into it, and its client is left alone until its time is over", async () => {
  await using t = await makeEngine({ units: [web] });
  const client = t.processes.only("web");
  void t.engine.stopUnit("web");
  await settle();
  const [run] = t.runs("web");
  assert.deepEqual([t.containerSignals, client.signals], [[`SIGTERM ${run!.id}`], []]);
  client.exit(6);
  await settle();
  assert.deepEqual(t.removed, [run!.id]);
  assert.deepEqual([t.outcomes("web"), t.runs("web")[0]!.exitCode], [["stopped"], 6]);
});

Deno.test("Where there is no container yet, its client gets the signal", async () => {
  await using t = await makeEngine({ units: [web] });
  t.hasContainers = false;
  void t.engine.stopUnit("web");
  await settle();
  assert.deepEqual(t.processes.launched[0]!.signals, ["SIGTERM"]);
  assert.deepEqual(t.outcomes("web"), ["stopped"]);
});

Deno.test("As long as a container can't be removed, no other takes its place", async () => {
  await using t = await makeEngine({ units: [web] });
  t.containerTrouble = "cannot remove it: docker is away";
  t.processes.only("web").exit(1);
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes("web"), ["running"]);
  await t.clock.advance(20 * second);
  const [first, later] = t.runs("web");
  assert.equal(first!.endReason, "failed");
  assert.match(
    t.logLines(first!).join("\n"),
    /docker is away; that is tried again, and nothing takes its place/,
  );
  assert.equal(later!.endReason, "start_failed");
  assert.match(
    later!.error ?? "",
    new RegExp(`the container of its run ${first!.id} is still there: .*docker is away`),
  );
  assert.equal(t.processes.launched.length, 1);
  t.containerTrouble = undefined;
  await t.clock.advance(3 * minute);
  assert.equal(t.outcomes("web").at(-1), "running");
  assert.equal(t.processes.launched.length, 2);
  assert.ok(t.said.includes("info what was left of a container is gone"));
  assert.deepEqual(t.store.containers.all().map(({ runId }) => runId), [t.runs("web").at(-1)!.id]);
});

Deno.test("The next daemon removes each container that is left in one request, also of what is no unit any more", async () => {
  const db = service({ name: "db", compose: { ...compose, service: "db" } });
  await using t = await makeEngine({ units: [web, db] });
  const ids = [...t.runs("db"), ...t.runs("web")].map(({ id }) => id).sort();
  await t.crash();
  t.config = { ...t.config, units: [] };
  t.containerTrouble = "cannot remove them: docker is away";
  await t.start();
  assert.deepEqual(t.removed.toSorted(), ids);
  assert.equal(t.said.filter((line) => line.includes("docker is away; that is tried again")).length, 1);
  await t.clock.advance(5 * second);
  assert.equal(t.said.filter((line) => line.includes("docker is away")).length, 1);
  t.containerTrouble = undefined;
  await t.clock.advance(minute);
  assert.deepEqual(t.store.containers.all(), []);
});

Deno.test("The end of the daemon waits for one try at most, and the next one goes on", async () => {
  await using t = await makeEngine({ units: [web] });
  t.containerTrouble = "cannot remove it: docker is away";
  await t.stop();
  assert.deepEqual(t.outcomes("web"), ["daemon_stopped"]);
  assert.equal(t.removed.length, 1);
  t.containerTrouble = undefined;
  await t.start();
  assert.equal(t.removed.length, 2);
  assert.deepEqual(t.outcomes("web"), ["daemon_stopped", "running"]);
});

Deno.test("A run that could not be launched has no container", async () => {
  await using t = await makeEngine({
    units: [web],
    before: (test) => test.processes.behave("web", { breaks: "no docker" }),
  });
  assert.deepEqual(t.store.containers.all(), []);
});

Deno.test("A container that is stuck keeps no other from going on", async () => {
  const db = service({ name: "db", compose: { ...compose, service: "db" } });
  await using t = await makeEngine({ units: [web, db] });
  const stuck = t.runs("web")[0]!.id;
  await t.crash();
  t.isStuck = (id) => id === stuck;
  t.containerTrouble = "cannot remove it: it is busy";
  await t.start();
  assert.deepEqual([t.outcomes("db"), t.outcomes("web")], [["crashed", "running"], [
    "crashed",
    "start_failed",
  ]]);
});

Deno.test("A stop of the daemon cuts short what waits for docker", async () => {
  await using t = await makeEngine({ units: [web] });
  t.containerTrouble = "cannot remove it: docker is away";
  t.processes.only("web").exit(1);
  await t.clock.advance(second);
  const stopped = t.engine.stop();
  await settle();
  assert.equal(t.outcomes("web")[0], "failed");
  await stopped;
});

Deno.test("A run ends also where the database refuses to forget its container", async () => {
  await using t = await makeEngine({ units: [web] });
  const remove = t.store.containers.remove;
  t.store.containers.remove = () => {
    throw new Error("disk full");
  };
  t.processes.only("web").exit(1);
  await t.clock.advance(5 * second);
  t.store.containers.remove = remove;
  assert.deepEqual(t.outcomes("web"), ["failed", "running"]);
});

Deno.test("A container that docker says nothing of may be there: its run ends, and no other takes its place before it is gone", async () => {
  await using t = await makeEngine({ units: [web] });
  t.isDockerDeaf = true;
  t.processes.only("web").exit(1);
  await t.clock.advance(21 * second);
  const [first, later] = t.runs("web");
  assert.equal(first!.endReason, "failed");
  assert.ok(t.logLines(first!).join("\n").includes("cannot tell whether its container is gone"));
  assert.equal(later!.endReason, "start_failed");
  assert.equal(t.processes.launched.length, 1);
  t.isDockerDeaf = false;
  await t.clock.advance(3 * minute);
  assert.equal(t.processes.launched.length, 2);
});

Deno.test("A start waits for no docker for ever", async () => {
  await using t = await makeEngine({ units: [web] });
  await t.crash();
  t.isDockerDeaf = true;
  const started = t.start();
  await t.clock.advance(21 * second);
  await started;
  assert.deepEqual(t.outcomes("web").slice(0, 2), ["crashed", "start_failed"]);
  assert.equal(t.processes.launched.length, 1);
  t.isDockerDeaf = false;
  await t.clock.advance(3 * minute);
  assert.equal(t.outcomes("web").at(-1), "running");
});
