/// <reference lib="dom" />
import { sizeWords } from "../../../src/core/size.ts";
import { stopRun } from "../../app/actions.ts";
import { addressOf, Link } from "../../app/router.tsx";
import { activeRuns } from "../../data/runs.ts";
import type { Unit } from "../../data/units.ts";
import { Action } from "../../parts/button.tsx";
import { State, wordOfRun, wordOfUnit } from "../../parts/mark.tsx";
import { Duration, Time } from "../../parts/times.tsx";
import { useRecentRuns } from "../units/recent_runs.ts";
import { type Instance, instancesOf } from "./instances.ts";

/** The copies of a service. */
export function InstancesTab({ unit }: { unit: Unit }) {
  const active = [...activeRuns.value?.values() ?? []].filter(({ task_name }) => task_name === unit.name);
  const ended = useRecentRuns(unit.name) ?? [];
  return <Instances unit={unit} instances={instancesOf(unit.instances ?? 1, { active, ended })} />;
}

/** The copies of a service, a row each, and what they use together. */
export function Instances({ unit, instances }: { unit: Unit; instances: readonly Instance[] }) {
  const { usage } = unit;
  return (
    <div class="unit-instances">
      <p class="row">
        <State word={wordOfUnit(unit)} />
        <span class="muted">
          {unit.healthy_instances ?? 0} of {unit.instances ?? 1} healthy
          {usage === undefined
            ? ""
            : `; together ${Math.round(usage.cpu_percent)} % of a core and ${
              sizeWords(usage.memory_bytes)
            } of memory`}
        </span>
      </p>
      <table>
        <caption class="hidden">Instances</caption>
        <thead>
          <tr>
            <th scope="col">Instance</th>
            <th scope="col">State</th>
            <th scope="col">Up for</th>
            <th scope="col" class="before" title="Among the newest 30 runs of the service">Ended before</th>
            <th scope="col" class="wide">Last end</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {instances.map(({ index, run, restarts, before }) => (
            <tr key={index} data-row tabIndex={0}>
              <td>{index}</td>
              <td>{run === undefined ? <span class="muted">down</span> : <State word={wordOfRun(run)} />}</td>
              <td>
                {run === undefined
                  ? <span class="muted">–</span>
                  : <Duration from={run.start_at} to={undefined} />}
              </td>
              <td class="before">
                {restarts === 0 ? "never" : restarts === 1 ? "once" : `${restarts} times`}
              </td>
              <td class="wide">
                {before === undefined ? <span class="muted">–</span> : (
                  <>
                    <State word={wordOfRun(before)} />{" "}
                    <Link href={addressOf.run(before.id)}>
                      <Time at={before.end_at} />
                    </Link>
                  </>
                )}
              </td>
              <td class="number">
                {run === undefined ? null : (
                  <span class="acts">
                    <Link class="button" href={addressOf.run(run.id)}>
                      Log<span class="hidden">of {index}</span>
                    </Link>
                    <Action
                      what={`stop ${run.id}`}
                      title="Stops this instance; the others stay up"
                      onClick={() => void stopRun(run)}
                    >
                      Stop<span class="hidden">instance {index}</span>
                    </Action>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
