import type { DatabaseSync, StatementSync } from "node:sqlite";

/** What is remembered of a task's schedule. Times are Unix ms. */
export interface ScheduleState {
  unit: string;
  /** The expression and zone that `handled` belongs to. */
  definition: string;
  /** When this schedule was first seen: where `@every` counts from. */
  anchor: number;
  /** All ticks up to this one are dealt with. */
  handled: number;
  pausedAt?: number;
}

/** The stored anchors of all schedules. */
export class ScheduleStore {
  readonly #all: StatementSync;
  readonly #put: StatementSync;
  readonly #handled: StatementSync;
  readonly #remove: StatementSync;

  constructor(db: DatabaseSync) {
    this.#all = db.prepare("SELECT unit, definition, anchor, handled, paused_at FROM schedules");
    this.#put = db.prepare(
      `INSERT INTO schedules (unit, definition, anchor, handled, paused_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (unit) DO UPDATE SET definition = excluded.definition, anchor = excluded.anchor,
         handled = excluded.handled, paused_at = excluded.paused_at`,
    );
    this.#handled = db.prepare("UPDATE schedules SET handled = ? WHERE unit = ? AND handled < ?");
    this.#remove = db.prepare("DELETE FROM schedules WHERE unit = ?");
  }

  all(): ScheduleState[] {
    return this.#all.all().map((row) => {
      const state: ScheduleState = {
        unit: String(row.unit),
        definition: String(row.definition),
        anchor: Number(row.anchor),
        handled: Number(row.handled),
      };
      if (row.paused_at !== null) state.pausedAt = Number(row.paused_at);
      return state;
    });
  }

  put(state: ScheduleState): void {
    this.#put.run(state.unit, state.definition, state.anchor, state.handled, state.pausedAt ?? null);
  }

  /** Moves the last handled tick forward; never back. */
  setHandled(unit: string, tick: number): void {
    this.#handled.run(tick, unit, tick);
  }

  remove(unit: string): void {
    this.#remove.run(unit);
  }
}
