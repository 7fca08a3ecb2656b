/// <reference lib="dom" />
import type { TaskParamJson } from "../../../src/http/schemas/unit.ts";
import { daemon } from "../../data/daemon.ts";
import type { Unit } from "../../data/units.ts";
import { pathTo } from "../../net/api.ts";
import { Failed, Skeleton } from "../../parts/states.tsx";
import { Copyable } from "./copy.tsx";
import { definitionOf } from "./definition.ts";
import { shellWord } from "../../../src/core/shell_word.ts";
import { type UnitConfig, useUnitConfig } from "./unit_config.ts";

/** How a unit is defined. */
export function DefinitionTab({ unit }: { unit: Unit }) {
  const { config, error } = useUnitConfig(unit.name);
  if (error !== undefined) return <Failed what="the definition" why={error} />;
  if (config === undefined) return <Skeleton rows={12} />;
  return <Definition unit={config} base={daemon.value?.external_url || location.origin} />;
}

/** A unit's effective values, what is said in its file apart from what is built in. `base`: the daemon's address. */
export function Definition({ unit, base }: { unit: UnitConfig; base: string }) {
  const env = Object.entries(unit.env);
  const params = unit.parameters ?? [];
  return (
    <div class="unit-definition">
      <section class="wide">
        <h2>Command</h2>
        <Copyable text={unit.run.trimEnd()} label="Command" />
        <p class="muted">
          Defined in <code>{unit.place.file}:{unit.place.line}</code>. Values marked <i>default</i>{" "}
          are those of svc; the others stand in the file, here or in <code>[defaults]</code>.
        </p>
      </section>
      {definitionOf(unit).map(({ title, rows }) => (
        <section key={title}>
          <h2>{title}</h2>
          <dl>
            {rows.map(({ key, text, isDefault }) => (
              <div key={key} class={isDefault ? "preset" : undefined}>
                <dt>{key}</dt>
                <dd>
                  {text}
                  {isDefault ? <small>default</small> : null}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {env.length === 0 ? null : (
        <section>
          <h2>Environment</h2>
          <dl>
            {env.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value === "" ? <span class="muted">empty</span> : value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {params.length === 0 ? null : <Params params={params} />}
      {!unit.api_trigger ? null : (
        <section class="wide">
          <h2>From another machine</h2>
          <Copyable text={hookCommand(unit, base)} label="A hook" />
          <p class="muted">
            A token comes from <code>hook_tokens</code> of this unit; without one there is no hook.
          </p>
        </section>
      )}
    </div>
  );
}

function Params({ params }: { params: readonly TaskParamJson[] }) {
  return (
    <section class="wide">
      <h2>Parameters</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Parameters">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Kind</th>
              <th scope="col">Default</th>
              <th scope="col">Choices</th>
              <th scope="col">For</th>
            </tr>
          </thead>
          <tbody>
            {params.map((param) => (
              <tr key={param.key}>
                <td>
                  <code>{param.key}</code>
                </td>
                <td>{param.kind}{param.type === "number" ? ", number" : ""}</td>
                <td>
                  {param.default ?? (param.required ? "required" : <span class="muted">left out</span>)}
                </td>
                <td>{(param.choices ?? []).join(", ")}{param.allow_custom ? " or any" : ""}</td>
                <td>{param.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A request that another machine may make with a hook token. */
export function hookCommand({ name, kind }: Pick<UnitConfig, "name" | "kind">, base: string): string {
  const action = kind === "task" ? "run" : "restart";
  const path = pathTo(`/api/hooks/tasks/:taskName/${action}`, { taskName: name });
  return `curl -X POST -H "Authorization: Bearer $TOKEN" ${shellWord(base.replace(/\/$/, "") + path)}`;
}
