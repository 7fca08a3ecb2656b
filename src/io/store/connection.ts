import { DatabaseSync, type StatementSync } from "node:sqlite";

/** Statements that are kept: many times what the program says itself, since lists are asked for in many ways. */
const mostKept = 200;

/**
 * A connection that prepares each statement once. One that is let go keeps its native memory, of which V8 knows
 * nothing, until the whole heap is next collected: minutes, in a daemon. The columns of a table must not change
 * between two uses of a statement.
 */
export class Connection extends DatabaseSync {
  readonly #kept = new Map<string, StatementSync>();

  override prepare(sql: string): StatementSync {
    const known = this.isOpen ? this.#kept.get(sql) : undefined;
    const statement = known ?? super.prepare(sql);
    // Behind all others, so that what has not been used for longest goes first.
    this.#kept.delete(sql);
    this.#kept.set(sql, statement);
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value!);
    return statement;
  }
}
