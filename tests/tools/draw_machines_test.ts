import assert from "node:assert/strict";
import { machinesPage } from "../../tools/draw_machines.ts";
import { type Machine, rowsOf } from "../../tools/draw/rows.ts";

Deno.test('docs/machines.md is what the machines do: "deno task draw" writes it', async () => {
  const page = await Deno.readTextFile(new URL("../../docs/machines.md", import.meta.url));
  assert.equal(page, machinesPage());
});

/** A door that a key may lock. */
type Door = { phase: "open" | "shut" | "locked"; keyed: boolean };

const door: Machine<{ spring: boolean }, Door, string> = {
  policies: [{ spring: true }, { spring: false }],
  begin: () => ({ phase: "open", keyed: false }),
  step({ spring }, state, event) {
    switch (`${state.phase} ${event}`) {
      case "open key":
        return [{ ...state, keyed: true }, []];
      case "open push":
      case "open wind":
        return [
          { ...state, phase: state.keyed ? "locked" : "shut" },
          [{ do: "bang" }, ...(spring ? [{ do: "set_timer", timer: "swing" }] : [])],
        ];
      default:
        return [state, []];
    }
  },
  events: [["key", "", "key"], ["shut", "by hand", "push"], ["shut", "by the wind", "wind"], [
    "ring",
    "",
    "ring",
  ]],
  facts: { "it has a key": (_, { keyed }) => keyed },
  isFar: () => false,
};

Deno.test("rowsOf() tells what each event does in each phase that is reached, and on what it depends", () => {
  assert.deepEqual(rowsOf(door), [
    { phase: "open", event: "key", after: "open", when: "", effects: "" },
    {
      phase: "open",
      event: "shut",
      after: "locked",
      when: "it has a key",
      effects: "bang, set_timer swing?",
    },
    { phase: "open", event: "shut", after: "shut", when: "else", effects: "bang, set_timer swing?" },
  ]);
});

Deno.test("rowsOf() tells the variants of an event apart where they do not do the same", () => {
  const rows = rowsOf<{ spring: boolean }, Door, string>({
    ...door,
    step: (policy, state, event) => event === "wind" ? [state, []] : door.step(policy, state, event),
  });
  assert.deepEqual(rows.slice(1).map(({ event, when }) => `${event} ${when}`), [
    "shut: by hand it has a key",
    "shut: by hand else",
  ]);
});

Deno.test("rowsOf() fails where no fact tells which of two outcomes there will be, rather than draw half of it", () => {
  assert.throws(() => rowsOf({ ...door, facts: {} }), /no fact tells what "open shut" leads to/);
});
