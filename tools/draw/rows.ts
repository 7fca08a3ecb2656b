/** A machine, and what is to be played with it. */
export interface Machine<Policy, State extends { phase: string }, Event> {
  policies: readonly Policy[];
  begin(policy: Policy): State;
  step(policy: Policy, state: State, event: Event): [State, readonly Effect[]];
  /** Each by its name and, where there are several of that name, what is the case in this one. */
  events: readonly (readonly [name: string, variant: string, event: Event])[];
  /** What may decide between outcomes, in words; those before have the say. */
  facts: Readonly<Record<string, (policy: Policy, state: State) => boolean>>;
  /** States beyond which nothing new comes, and which are not gone on from. */
  isFar(state: State): boolean;
}

interface Effect {
  do: string;
  timer?: string;
  reason?: string;
}

/** What an event does in a phase. */
export interface Row {
  phase: string;
  event: string;
  after: string;
  /** The first of a cell whose condition holds is what happens; "" where it is always so. */
  when: string;
  /** In the order in which they are done, "?" behind those that are not always. */
  effects: string;
}

/** One step that was seen. */
interface Seen {
  phase: string;
  name: string;
  variant: string;
  after: string;
  effects: string[];
  facts: boolean[];
  changes: boolean;
}

/** All that events do, in the order of the phases as they are first reached; what changes nothing is left out. */
export function rowsOf<P, S extends { phase: string }, E>(machine: Machine<P, S, E>): Row[] {
  const seen = play(machine);
  const names = Object.keys(machine.facts);
  const phases = [...new Set(seen.map(({ phase }) => phase))];
  const events = [...new Set(machine.events.map(([name]) => name))];
  return phases.flatMap((phase) =>
    events.flatMap((name) =>
      rowsOfCell(seen.filter((one) => one.phase === phase && one.name === name), names)
    )
  );
}

/** The states that can be reached, the nearest first, and each event in each of them. */
function play<P, S extends { phase: string }, E>(machine: Machine<P, S, E>): Seen[] {
  const seen: Seen[] = [];
  for (const policy of machine.policies) {
    const reached = new Map<string, S>();
    const reach = (state: S): void => {
      const key = JSON.stringify(state);
      if (!reached.has(key) && !machine.isFar(state)) reached.set(key, state);
    };
    reach(machine.begin(policy));
    // A map goes on to what is added while it is walked.
    for (const [key, state] of reached) {
      const facts = Object.values(machine.facts).map((holds) => holds(policy, state));
      for (const [name, variant, event] of machine.events) {
        const [after, effects] = machine.step(policy, state, event);
        const changes = effects.length > 0 || JSON.stringify(after) !== key;
        const told = effects.map(effectWords);
        seen.push({ phase: state.phase, name, variant, after: after.phase, effects: told, facts, changes });
        reach(after);
      }
    }
  }
  return seen;
}

function effectWords({ do: name, timer, reason }: Effect): string {
  return [name, timer, reason].filter((word) => word !== undefined).join(" ");
}

/** One row an outcome; variants of an event that do the same are not told apart. */
function rowsOfCell(seen: readonly Seen[], facts: readonly string[]): Row[] {
  const variants = [...new Set(seen.map(({ variant }) => variant))];
  const each = variants.map((variant) => ({
    variant,
    rows: outcomesOf(seen.filter((one) => one.variant === variant), facts),
  }));
  const [first] = each;
  if (each.every(({ rows }) => JSON.stringify(rows) === JSON.stringify(first!.rows))) return first!.rows;
  return each.flatMap(({ variant, rows }) =>
    rows.map((row) => ({ ...row, event: `${row.event}: ${variant}` }))
  );
}

/** The outcomes of a cell, and what tells them apart: the first row whose condition holds is what happens. */
function outcomesOf(seen: readonly Seen[], facts: readonly string[]): Row[] {
  const rows: Row[] = [];
  let left = seen.filter(({ changes }) => changes);
  while (left.length > 0) {
    const fact = isOne(left) ? -1 : facts.findIndex((_, at) => isOne(left.filter((one) => one.facts[at])));
    if (fact < 0 && !isOne(left)) throw new RangeError(`no fact tells what ${nameOf(left)} leads to`);
    const those = left.filter((one) => fact < 0 || one.facts[fact]);
    const { phase, name, after } = those[0]!;
    const when = fact >= 0 ? facts[fact]! : rows.length === 0 ? "" : "else";
    rows.push({
      phase,
      event: name,
      after,
      when,
      effects: jointEffects(those.map(({ effects }) => effects)),
    });
    left = left.filter((one) => !those.includes(one));
  }
  return rows;
}

function isOne(seen: readonly Seen[]): boolean {
  return new Set(seen.map(({ after }) => after)).size === 1;
}

function nameOf([first]: readonly Seen[]): string {
  return `"${first!.phase} ${first!.name}"`;
}

function jointEffects(lists: readonly string[][]): string {
  const longest = [...lists].sort((a, b) => b.length - a.length);
  const all = [...new Set(longest.flat())];
  return all.map((effect) => lists.every((list) => list.includes(effect)) ? effect : `${effect}?`).join(", ");
}
