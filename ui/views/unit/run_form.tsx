/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { act, runTask, saidRun } from "../../app/actions.ts";
import { Dialog } from "../../app/dialog.tsx";
import { refreshUnit, type Unit } from "../../data/units.ts";
import { ApiError, wordsOf } from "../../net/api.ts";
import { Action } from "../../parts/button.tsx";
import { Copyable } from "./copy.tsx";
import { RunField } from "./run_field.tsx";
import { commandLine, faultsOf, type Field, firstFields, paramsOf } from "./run_fields.ts";

interface RunFormProps {
  unit: Unit;
  onClose: () => void;
  /** Shows the run that was started. */
  onStarted: (id: string) => void;
}

/** Asks for the parameters of a run, and starts it. Nothing of it is remembered: a value may be a secret. */
export function RunForm({ unit, onClose, onStarted }: RunFormProps) {
  const [fields, setFields] = useState(() => firstFields(unit.parameters ?? []));
  const [faults, setFaults] = useState<ReturnType<typeof faultsOf>>({ byKey: new Map(), rest: [] });
  const start = async (isShown: boolean): Promise<void> => {
    const run = await act(`run ${unit.name}`, async () => {
      try {
        return await runTask(unit.name, paramsOf(fields));
      } catch (error) {
        // Whatever it is stands in the form: a message at the edge would be behind it.
        const errors = error instanceof ApiError && error.status === 422 ? error.errors : [];
        setFaults(
          errors.length > 0 ? faultsOf(fields, errors) : { byKey: new Map(), rest: [wordsOf(error)] },
        );
        return undefined;
      }
    });
    if (run === undefined) return;
    refreshUnit(unit.name);
    onClose();
    if (isShown) onStarted(run.id);
    else saidRun(unit.name, run.id);
  };
  const change = (key: string, change: Partial<Field>): void => {
    setFields(fields.map((field) => field.param.key === key ? { ...field, ...change } : field));
    const byKey = new Map(faults.byKey);
    if (byKey.delete(key)) setFaults({ ...faults, byKey });
  };
  return (
    <Dialog title={`Run ${unit.name}`} onClose={onClose} class="unit-run">
      <RunFields
        name={unit.name}
        fields={fields}
        faults={faults}
        onChange={change}
        onStart={(isShown) => void start(isShown)}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface RunFieldsProps {
  name: string;
  fields: readonly Field[];
  faults: ReturnType<typeof faultsOf>;
  onChange: (key: string, change: Partial<Field>) => void;
  onStart: (isShown: boolean) => void;
  onClose: () => void;
}

/** The form itself: a field for each parameter, the command that does the same, and what starts the run. */
export function RunFields({ name, fields, faults, onChange, onStart, onClose }: RunFieldsProps) {
  const command = commandLine(name, paramsOf(fields));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onStart(true);
      }}
    >
      {fields.length === 0 ? <p class="muted">It takes no parameters.</p> : null}
      {fields.map((field, i) => (
        <RunField
          key={field.param.key}
          field={field}
          fault={faults.byKey.get(field.param.key)}
          isFirst={i === 0}
          onChange={(change) => onChange(field.param.key, change)}
        />
      ))}
      {faults.rest.map((fault) => <p class="bad" role="alert" key={fault}>{fault}</p>)}
      {command === undefined
        ? <p class="muted">The command line can't leave out a parameter that has a default.</p>
        : <Copyable text={command} label="The same on the command line" />}
      <footer>
        <button type="button" onClick={onClose}>Cancel</button>
        <span class="fill" />
        <Action what={`run ${name}`} onClick={() => onStart(false)}>Run and stay</Action>
        <button type="submit" class="primary" autofocus={fields.length === 0}>Run</button>
      </footer>
    </form>
  );
}
