import assert from "node:assert/strict";
import { makeEngine } from "../support/make_engine.ts";
import { second, service, task } from "../support/units.ts";

Deno.test("The trace has each step of a run's machine: phase, event, effects, and no text of the run", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a", secrets: { TOKEN: "hunter2" } })],
    traces: true,
  });
  const { id } = t.engine.run("a", { trigger: "cli" });
  await t.clock.advance(second);
  t.engine.stopRun(id);
  await t.clock.advance(second);
  const head = `step of a run unit=a run=${id}`;
  // Some ends are told twice.
  assert.deepEqual([...new Set(t.traced)], [
    `${head} before=running event=stop(stopped) after=stopping want=stopped ` +
    "effects=clear_timer(timeout) clear_timer(ask) say signal(SIGTERM) set_timer(grace 5000)",
    `${head} before=stopping event=exited(SIGTERM) after=leaving want=stopped effects=look`,
    `${head} before=leaving event=pipes_closed after=leaving want=stopped effects=clear_timer(look) look`,
    `${head} before=leaving event=looked(0) after=sweeping want=stopped ` +
    "effects=clear_timer(grace) clear_timer(look) clear_timer(pipes) sweep(all)",
    `${head} before=sweeping event=looked(0) after=sweeping want=stopped`,
    `${head} before=sweeping event=swept(0) after=ended want=stopped effects=end`,
  ]);
});

Deno.test("The trace has each step of an instance's machine", async () => {
  await using t = await makeEngine({
    units: [service({ name: "web", healthyAfter: 2 * second, restartDelay: second })],
    traces: true,
  });
  await t.clock.advance(second);
  t.processes.only("web").exit(3);
  await t.clock.advance(second / 2);
  const ofInstance = t.traced.filter((line) => line.startsWith("step of an instance"));
  const head = "step of an instance unit=web instance=0";
  assert.deepEqual(ofInstance, [
    `${head} before=stopped event=start after=starting want=up ` +
    "effects=clear_timer(backoff) set_timer(healthy 2000) launch",
    `${head} before=starting event=ended(failed 1000) after=ending want=up effects=clear_timer(healthy) record`,
    `${head} before=ending event=stored after=backing_off want=up effects=set_timer(backoff 1000)`,
  ]);
});

Deno.test("Where nothing is traced the log has nothing that could be asked to", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  t.engine.run("a", { trigger: "cli" });
  await t.clock.advance(second);
  t.processes.only("a").exit(0);
  await t.clock.advance(second);
  assert.deepEqual([t.outcomes("a"), t.traced], [["success"], []]);
});
