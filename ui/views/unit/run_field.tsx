/// <reference lib="dom" />
import type { Field } from "./run_fields.ts";

interface RunFieldProps {
  field: Field;
  fault: string | undefined;
  isFirst: boolean;
  onChange: (change: Partial<Field>) => void;
}

const kinds = { env: "variable", arg: "argument", option: "option", flag: "flag" } as const;
/** Stands for a value that is typed; no choice can be it. */
const other = "\0";

/** One parameter: its field, what it is for, what was wrong with it, and the way to leave it out. */
export function RunField({ field, fault, isFirst, onChange }: RunFieldProps) {
  const { param, value, isOmitted, isCustom } = field;
  const id = `param-${param.key}`;
  const choices = param.choices ?? [];
  const set = (value: string): void => onChange({ value, isTouched: true, isOmitted: false });
  const common = {
    id,
    name: param.key,
    autofocus: isFirst,
    "aria-invalid": fault !== undefined,
    "aria-describedby": `${id}-about ${id}-fault`,
    "aria-required": param.required === true,
  };
  const input = () => (
    <input
      {...common}
      id={choices.length > 0 ? `${id}-custom` : id}
      aria-label={choices.length > 0 ? `Value of ${param.key}` : undefined}
      type="text"
      inputMode={param.type === "number" ? "decimal" : undefined}
      class={isOmitted ? "omitted" : undefined}
      value={isOmitted ? "" : value}
      placeholder={isOmitted ? "left out" : param.required && !field.isTouched ? "" : "empty"}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
  if (param.kind === "flag") {
    return (
      <div class="unit-field">
        <label class="flag">
          <input
            {...common}
            type="checkbox"
            checked={!isOmitted && value === "true"}
            onChange={(event) => set(event.currentTarget.checked ? "true" : "false")}
          />
          <code>{param.key}</code>
        </label>
        <About field={field} id={id} fault={fault} />
      </div>
    );
  }
  return (
    <div class="unit-field">
      <div class="row">
        <label for={id}>
          <code>{param.key}</code>
        </label>
        <span class="muted">
          {kinds[param.kind]}
          {param.type === "number" ? ", number" : ""}
          {param.required ? ", required" : ""}
        </span>
        <span class="fill" />
        {param.required ? null : (
          <label class="omit">
            <input
              type="checkbox"
              checked={isOmitted}
              onChange={(event) => onChange({ isOmitted: event.currentTarget.checked, isTouched: true })}
            />
            leave out<span class="hidden">{param.key}</span>
          </label>
        )}
      </div>
      {choices.length === 0 ? input() : (
        <div class="choice">
          <select
            {...common}
            value={isOmitted ? "" : isCustom ? other : value}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              if (chosen === other) {
                onChange({ isCustom: true, value: "", isTouched: true, isOmitted: false });
              } else onChange({ isCustom: false, value: chosen, isTouched: true, isOmitted: false });
            }}
          >
            {isOmitted || (value === "" && !choices.includes("") && !isCustom)
              ? <option value="" disabled>{isOmitted ? "left out" : "choose"}</option>
              : null}
            {choices.map((choice) => (
              <option key={choice} value={choice}>{choice === "" ? "empty" : choice}</option>
            ))}
            {param.allow_custom ? <option value={other}>another value …</option> : null}
          </select>
          {isCustom && !isOmitted ? input() : null}
        </div>
      )}
      <About field={field} id={id} fault={fault} />
    </div>
  );
}

function About({ field, id, fault }: { field: Field; id: string; fault: string | undefined }) {
  const { description, default: preset } = field.param;
  const hasDefault = preset !== undefined && field.param.kind !== "flag";
  return (
    <>
      <p class="muted" id={`${id}-about`}>
        {description ?? ""}
        {hasDefault && field.value !== preset
          ? (
            <>
              {description ? " " : ""}Default: <code>{preset === "" ? "empty" : preset}</code>
            </>
          )
          : null}
      </p>
      <p class="bad" id={`${id}-fault`} role="alert">{fault}</p>
    </>
  );
}
