import type { Planted } from "./planted.ts";

/** Bugs of a daemon that takes over what an earlier one has left, or leaves it to the next. */
export const plantedKeepers: readonly Planted[] = ([
  {
    name: "the timeout of a run that was taken over begins anew",
    file: "src/core/run_machine.ts",
    search:
      `effects.map((one) => one.do === "set_timer" && one.timer === "timeout" ? left(one, ranFor) : one),`,
    replace: "effects,",
  },
  {
    from: 337,
    name: "what a start takes is time that a run gets in addition",
    file: "src/engine/runs/runner.ts",
    search: "ranFor: left.ranFor + passed,",
    replace: "ranFor: left.ranFor,",
  },
  {
    name: "a run is taken over though its row knows of another keeper",
    file: "src/engine/take_over.ts",
    search: "if (row.keeping!.nonce === found.nonce) return [{ row, found }];",
    replace: "return [{ row, found }];",
  },
  {
    name: "a run that ended while no daemon was there ends as crashed",
    file: "src/engine/take_over.ts",
    search: "if (left === undefined || !handOn(",
    replace: "if (left === undefined || found.ended !== undefined || !handOn(",
  },
  {
    name: "a run that ended while no daemon was there ends when that is seen",
    file: "src/engine/runs/runner.ts",
    search: "if (found.ended !== undefined) active.endedAt = found.ended.at;",
    replace: "",
  },
  {
    name: "services are started beside instances that go on",
    file: "src/engine/services/services.ts",
    search: "if (this.#former.has(instance)) continue;",
    replace: "",
  },
  {
    name: "a stop that was asked for before the daemon died is forgotten",
    file: "src/core/run_machine.ts",
    search: `  if (want === undefined || phase === "running") {`,
    replace: `  if (phase !== "killing") {`,
  },
  {
    name: "who was to be asked to end when the daemon died never is",
    file: "src/core/run_machine.ts",
    search: "if (isAsked) return",
    replace: "if (isAsked !== undefined) return",
  },
  {
    name: "the keeper of a run is dismissed before its end is stored",
    file: "src/engine/runs/runner.ts",
    search: `    this.#ledger.move(id, "ending");`,
    replace: `    this.#ledger.move(id, "ending");
    active.execution?.dismiss();`,
  },
  {
    name: "how a run is to end is written down behind its signal",
    file: "src/engine/runs/runner.ts",
    search: `    this.#writeDown(active);
    this.#perform(active, effects);`,
    replace: `    this.#perform(active, effects);
    this.#writeDown(active);`,
  },
  {
    name: "failed starts are counted anew by each daemon",
    file: "src/engine/services/former_lives.ts",
    search: "instance.state = instanceOf(left.words.instance);",
    replace: "instance.state = { ...instanceOf(left.words.instance), failedStarts: 0 };",
  },
  {
    name: "what nobody has taken over lives on",
    file: "src/engine/recovery.ts",
    search: "if (isKept) await dropKept(world);",
    replace: "void [isKept, dropKept];",
  },
  {
    from: 78,
    name: "a run that was taken over has left the jitter gate",
    file: "src/engine/tasks/tasks.ts",
    search: `if (gateWaiterOf(run, left.unit) !== undefined) this.#ledger.mark(id, "holdsGate");`,
    replace: "",
  },
  {
    name: "a start that is refused ends what outlived another daemon",
    file: "src/engine/engine.ts",
    search: "      engine.#runner.leaveTaken();\n",
    replace: "",
  },
  {
    name: "a handover ends what can outlive the daemon",
    file: "src/engine/engine.ts",
    search: `this.#runner.stopAll("daemon_stopped", "mortal");`,
    replace: `this.#runner.stopAll("daemon_stopped");`,
  },
  {
    from: 34,
    name: "a handover ends all of a service of which something can't outlive the daemon",
    file: "src/engine/services/services.ts",
    search: "const lives = which === undefined ? this.#lifeIds(name) : this.#mortalLives(name);",
    replace: "const lives = this.#lifeIds(name);",
  },
] satisfies Planted[]).map((bug) => ({ ...bug, keeps: true }));
