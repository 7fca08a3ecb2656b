import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, noon, run, second, task } from "../support/units.ts";
import type { Run } from "../../src/types.ts";

const post = { method: "POST" } as const;

const history: (Partial<Run> & { id: string })[] = [
  {
    id: "A1",
    unit: "alpha",
    status: "ended",
    endReason: "success",
    trigger: "cron",
    startedAt: noon,
    endedAt: noon + 50_000,
  },
  {
    id: "A2",
    unit: "alpha",
    status: "ended",
    endReason: "failed",
    exitCode: 3,
    isFailure: true,
    trigger: "hook",
    startedAt: noon,
    endedAt: noon + 10_000,
  },
  {
    id: "B1",
    unit: "beta_x",
    status: "ended",
    endReason: "unhealthy",
    exitCode: 143,
    isFailure: true,
    trigger: "service",
    instance: 2,
    startedAt: noon + 1000,
    endedAt: noon + 31_000,
  },
  {
    id: "B2",
    unit: "beta%y",
    status: "ended",
    endReason: "missed",
    exitCode: -1,
    isFailure: true,
    trigger: "cron",
    endedAt: noon,
  },
  {
    id: "B3",
    unit: "betaZ",
    status: "ended",
    endReason: "crashed",
    exitCode: -2,
    isFailure: true,
    trigger: "station",
    retryAttempt: 1,
    retryOf: "B2",
    startedAt: noon + 2000,
    endedAt: noon + 22_000,
    params: { A: "1" },
  },
  {
    id: "C1",
    unit: "gamma",
    status: "ended",
    endReason: "stopped",
    exitCode: 143,
    trigger: "ui",
    startedAt: noon + 3000,
    endedAt: noon + 43_000,
    peakMemoryBytes: 4096,
    adoptedAt: noon + 1,
    cpuTimeMs: 12,
  },
  {
    id: "C2",
    unit: "gamma",
    status: "ended",
    endReason: "queue_full",
    exitCode: -1,
    isFailure: true,
    trigger: "cli",
    endedAt: noon,
  },
];

function withHistory(): Promise<TestEngine> {
  return makeEngine({
    units: [task({ name: "alpha" })],
    now: noon + hour,
    before: (t) =>
      history.forEach((own, i) => t.store.runs.insert(run({ createdAt: noon + i * 1000, ...own }))),
  });
}

async function ids(app: ReturnType<typeof makeApp>, query: string): Promise<string[]> {
  const { status, body } = await app(`/api/runs?${query}`);
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
  return body.runs.map(({ id }: { id: string }) => id);
}

Deno.test("GET /api/runs lists newest first in the snake_case spelling", async () => {
  await using t = await withHistory();
  const { body } = await makeApp(t)("/api/runs");
  assert.equal(body.total, 7);
  assert.deepEqual(body.runs.map(({ id }: { id: string }) => id), ["C2", "C1", "B3", "B2", "B1", "A2", "A1"]);
  assert.deepEqual(body.runs[2], {
    id: "B3",
    task_name: "betaZ",
    status: "ended",
    exit_code: -2,
    triggered_by: "cloud",
    created_at: new Date(noon + 4000).toISOString(),
    retry_attempt: 1,
    instance_index: 0,
    start_at: new Date(noon + 2000).toISOString(),
    end_at: new Date(noon + 22_000).toISOString(),
    end_reason: "crashed",
    params: { A: "1" },
    retry_of_run_id: "B2",
  });
  assert.equal(body.runs[4].end_reason, "failed", "the snake_case form has no unhealthy");
  assert.equal(body.runs[1].triggered_by, "api");
  assert.equal(body.runs[1].peak_memory_bytes, 4096);
  assert.equal(body.runs[1].cpu_time_ms, 12);
  assert.equal(body.runs[1].adopted_at, "2027-01-15T12:00:00.001Z");
});

Deno.test("GET /api/runs filters", async () => {
  await using t = await withHistory();
  const app = makeApp(t);
  const at = (ms: number) => encodeURIComponent(new Date(noon + ms).toISOString());
  const cases: Record<string, string[]> = {
    "status=success": ["A1"],
    "status=succeeded": ["A1"],
    "status=failed": ["B1", "A2"],
    "status=unhealthy": ["B1"],
    "status=ended&limit=1": ["C2"],
    "status=pending,running": [],
    "status=missed, crashed": ["B3", "B2"],
    "status=": ["C2", "C1", "B3", "B2", "B1", "A2", "A1"],
    "task_name=alpha": ["A2", "A1"],
    "task_name=alph": [],
    "triggered_by=api": ["C2", "C1", "A2"],
    "triggered_by=cloud": ["B3"],
    "triggered_by=cron": ["B2", "A1"],
    "triggered_by=service": ["B1"],
    "triggered_by=": ["C2", "C1", "B3", "B2", "B1", "A2", "A1"],
    [`created_after=${at(5000)}`]: ["C2", "C1"],
    [`created_before=${at(1000)}`]: ["A2", "A1"],
    [`created_after=${at(1000)}&created_before=${at(2000)}`]: ["B1", "A2"],
    "exit_code_min=1": ["C1", "B1", "A2"],
    "exit_code_max=-1": ["C2", "B3", "B2"],
    "exit_code_min=-2&exit_code_max=-2": ["B3"],
    "retries_only=true": ["B3"],
    "retries_only=false&limit=2": ["C2", "C1"],
    "search=BETA": ["B3", "B2", "B1"],
    "search=%25": ["B2"],
    "search=_": ["B1"],
    "search=c1": ["C1"],
    "search=%00": [],
    "search=%C3%A9": [],
    "search=a&task_name=gamma&status=stopped": ["C1"],
    "limit=2&offset=1": ["C1", "B3"],
    "offset=100": [],
  };
  for (const [query, expected] of Object.entries(cases)) {
    assert.deepEqual(await ids(app, query), expected, query);
  }
  assert.equal((await app("/api/runs?limit=1&status=failed")).body.total, 2);
  assert.equal((await app("/api/runs?offset=100")).body.total, 7);
});

Deno.test("GET /api/runs takes a long search text", async () => {
  await using t = await withHistory();
  assert.deepEqual(await ids(makeApp(t), `search=${"x".repeat(60_000)}`), []);
});

Deno.test("GET /api/runs sorts by every field in both directions", async () => {
  await using t = await withHistory();
  const app = makeApp(t);
  const cases: Record<string, string[]> = {
    "sort_field=created_at&sort_direction=asc": ["A1", "A2", "B1", "B2", "B3", "C1", "C2"],
    "sort_field=created_at&sort_direction=desc": ["C2", "C1", "B3", "B2", "B1", "A2", "A1"],
    "sort_field=task_name&sort_direction=asc": ["A1", "A2", "B2", "B3", "B1", "C1", "C2"],
    "sort_field=task_name&sort_direction=desc": ["C2", "C1", "B1", "B3", "B2", "A2", "A1"],
    "sort_field=exit_code&sort_direction=asc": ["B3", "B2", "C2", "A1", "A2", "B1", "C1"],
    "sort_field=exit_code&sort_direction=desc": ["C1", "B1", "A2", "A1", "C2", "B2", "B3"],
    "sort_field=start_at&sort_direction=asc": ["A1", "A2", "B1", "B3", "C1", "B2", "C2"],
    "sort_field=start_at&sort_direction=desc": ["C1", "B3", "B1", "A2", "A1", "C2", "B2"],
    "sort_field=duration&sort_direction=asc": ["A2", "B3", "B1", "C1", "A1", "B2", "C2"],
    "sort_field=duration&sort_direction=desc": ["A1", "C1", "B1", "B3", "A2", "C2", "B2"],
    "sort_field=&sort_direction=": ["C2", "C1", "B3", "B2", "B1", "A2", "A1"],
    "sort_direction=asc": ["A1", "A2", "B1", "B2", "B3", "C1", "C2"],
  };
  for (const [query, expected] of Object.entries(cases)) {
    assert.deepEqual(await ids(app, query), expected, query);
  }
  const byStatus = await ids(app, "sort_field=status&sort_direction=asc");
  assert.deepEqual(byStatus, [...await ids(app, "sort_field=status&sort_direction=desc")].reverse());
});

Deno.test("GET /api/runs puts a run without a duration last, both ways", async () => {
  await using t = await withHistory();
  const { id: active } = t.engine.run("alpha", { trigger: "api" });
  for (const direction of ["asc", "desc"]) {
    const order = await ids(makeApp(t), `sort_field=duration&sort_direction=${direction}`);
    assert.deepEqual(order.slice(-3).toSorted(), ["B2", "C2", active]);
  }
});

Deno.test("GET /api/runs finds a run by a part of its id", async () => {
  await using t = await withHistory();
  const { id } = t.engine.run("alpha", { trigger: "api" });
  assert.deepEqual(await ids(makeApp(t), `search=${id.slice(-5).toLowerCase()}`), [id]);
  assert.deepEqual(await ids(makeApp(t), `search=${id.slice(-2)}`), [id]);
});

Deno.test("GET /api/runs answers 422 for what is out of bounds or unknown, and says where", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  const cases = [
    "limit=0",
    "limit=1001",
    "limit=-1",
    "limit=x",
    "limit=1.5",
    "limit=",
    "offset=-1",
    "offset=x",
    "limit=99999999999999999999",
    "status=nonsense",
    "status=failed,nonsense",
    "triggered_by=ui",
    "triggered_by=station",
    "created_after=yesterday",
    "created_after=2027-13-01T00:00:00Z",
    "created_after=2027-02-30T00:00:00Z",
    "created_before=2027-01-01",
    "created_before=",
    "exit_code_min=x",
    "exit_code_max=1.5",
    "exit_code_min=",
    "retries_only=yes",
    "sort_field=id",
    "sort_direction=up",
  ];
  for (const query of cases) {
    const { status, body } = await app(`/api/runs?${query}`);
    assert.equal(status, 422, query);
    assert.equal(body.errors[0].location, `query.${query.split("=")[0]}`, query);
  }
  for (const query of ["limit=1", "limit=1000", "offset=0", "offset=9007199254740991", "unknown=1"]) {
    assert.equal((await app(`/api/runs?${query}`)).status, 200, query);
  }
});

Deno.test("GET /api/runs reads RFC 3339 times with any offset, a plus sign that was not escaped too", async () => {
  await using t = await withHistory();
  const app = makeApp(t);
  for (
    const time of [
      "2027-01-15T13:00:05.000%2B01:00",
      "2027-01-15T13:00:05+01:00",
      "2027-01-15t12:00:05z",
      "2027-01-15T04:00:05.0001-08:00",
    ]
  ) {
    assert.deepEqual(await ids(app, `created_after=${time}`), ["C2", "C1"], time);
  }
});

Deno.test("GET /api/runs/{runId} shows one run, or 404", async () => {
  await using t = await withHistory();
  const app = makeApp(t);
  assert.equal((await app("/api/runs/A2")).body.exit_code, 3);
  for (const id of ["NONE", "..%2f..%2fx", "%ff", "x".repeat(5000)]) {
    assert.equal((await app(`/api/runs/${id}`)).status, 404, id);
    assert.equal((await app(`/api/runs/${id}/log`)).status, 404, id);
    assert.equal((await app(`/api/runs/${id}/stop`, post)).status, 404, id);
    assert.equal((await app(`/api/runs/${id}`, { method: "DELETE" })).status, 404, id);
  }
});

Deno.test("DELETE /api/runs/{runId} hides an ended run, and is a conflict for an active one", async () => {
  await using t = await withHistory();
  const app = makeApp(t);
  assert.equal((await app("/api/runs/A1", { method: "DELETE" })).status, 204);
  assert.equal((await app("/api/runs/A1")).status, 404);
  assert.equal((await app("/api/runs/A1", { method: "DELETE" })).status, 404);
  assert.equal((await app("/api/runs")).body.total, 6);
  const active = t.engine.run("alpha", { trigger: "api" });
  assert.equal((await app(`/api/runs/${active.id}`, { method: "DELETE" })).status, 409);
});

Deno.test("POST /api/runs/{runId}/stop asks a run to end, waiting or active, and is a conflict for an ended one", async () => {
  await using t = await withHistory();
  const app = makeApp(t);
  const active = t.engine.run("alpha", { trigger: "api" });
  const waiting = t.engine.run("alpha", { trigger: "api" });
  assert.equal((await app(`/api/runs/${waiting.id}/stop`, post)).status, 204);
  assert.equal((await app(`/api/runs/${active.id}/stop`, post)).status, 204);
  await settle();
  assert.equal((await app(`/api/runs/${active.id}`)).body.end_reason, "stopped");
  assert.equal((await app(`/api/runs/${waiting.id}`)).body.exit_code, -1);
  assert.equal((await app(`/api/runs/${active.id}/stop`, post)).status, 409);
});

Deno.test("GET /api/runs/{runId}/log pages through a log, from the end or by number or by time", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  const { id } = t.engine.run("t", { trigger: "api" });
  for (let i = 0; i < 5; i++) {
    t.processes.only("t").print(`line ${i}\n`, i === 3 ? "stderr" : "stdout");
    await t.clock.advance(second);
  }
  const live = (await app(`/api/runs/${id}/log`)).body;
  assert.equal(live.finalized, false);
  t.processes.only("t").exit(0);
  await settle();
  const { body } = await app(`/api/runs/${id}/log`);
  assert.deepEqual({ ...body, lines: body.lines.length }, {
    lines: 5,
    first_available: 0,
    total_lines: 5,
    truncated: false,
    finalized: true,
  });
  assert.deepEqual(body.lines[3], { n: 3, ts: noon + 3000, stream: "stderr", text: "line 3" });
  const numbers = async (query: string): Promise<number[]> =>
    (await app(`/api/runs/${id}/log?${query}`)).body.lines.map(({ n }: { n: number }) => n);
  assert.deepEqual(await numbers("from=-2"), [3, 4]);
  assert.deepEqual(await numbers("from=1&limit=2"), [1, 2]);
  assert.deepEqual(await numbers("from=5"), []);
  assert.deepEqual(await numbers("from=99"), []);
  assert.deepEqual(await numbers("from=-99&limit=1"), [0]);
  assert.deepEqual(await numbers(`since=${new Date(noon + 2000).toISOString()}`), [2, 3, 4]);
  assert.deepEqual(await numbers(`since=${new Date(noon + 9000).toISOString()}`), []);
  for (
    const query of ["limit=0", "limit=10001", "from=x", "from=1.5", "since=then", "from=99999999999999999999"]
  ) {
    const { status, body } = await app(`/api/runs/${id}/log?${query}`);
    assert.equal(status, 422, query);
    assert.equal(body.errors[0].location, `query.${query.split("=")[0]}`);
  }
});

Deno.test("GET /api/runs/{runId}/log of a run that never wrote is an empty page", async () => {
  await using t = await withHistory();
  const { status, body } = await makeApp(t)("/api/runs/A1/log");
  assert.equal(status, 200);
  assert.deepEqual(body, {
    lines: [],
    first_available: 0,
    total_lines: 0,
    truncated: false,
    finalized: true,
  });
});
