import assert from "node:assert/strict";
import { type InstancePhase, type InstanceState, stoppedInstance } from "../../src/core/service_machine.ts";
import { serviceState } from "../../src/core/service_state.ts";

const pure = { permissions: "none" } as const;

function at(phase: InstancePhase, own: Partial<InstanceState> = {}): InstanceState {
  return { ...stoppedInstance, phase, want: phase === "stopped" ? "down" : "up", ...own };
}

function state(...phases: InstancePhase[]): string {
  return serviceState(phases.map((phase) => at(phase)));
}

Deno.test("serviceState() is running when all are healthy, degraded when some are", pure, () => {
  assert.equal(state("healthy", "healthy"), "running");
  for (
    const other of ["stopped", "starting", "backing_off", "fatal", "done", "stopping", "waiting"] as const
  ) {
    assert.equal(state("healthy", other), "degraded", other);
  }
});

Deno.test("serviceState() with none healthy takes the first that applies", pure, () => {
  assert.equal(state("fatal", "fatal"), "fatal");
  assert.equal(serviceState([at("fatal"), at("backing_off", { unhealthy: true })]), "unhealthy");
  assert.equal(state("fatal", "backing_off", "starting"), "backing_off");
  assert.equal(state("starting", "waiting"), "starting");
  assert.equal(state("waiting", "stopped"), "waiting");
  assert.equal(state("stopped", "stopped"), "stopped");
  assert.equal(state("done"), "stopped");
  assert.equal(state("stopping"), "starting");
  assert.equal(serviceState([at("stopping", { want: "down" })]), "stopped");
});
