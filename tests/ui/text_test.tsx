import assert from "node:assert/strict";
import { taskWord } from "../../src/core/words.ts";
import { State } from "../../ui/parts/mark.tsx";
import { textOf } from "./text.ts";

Deno.test("textOf() shows a view as it reads", () => {
  const view = (
    <div>
      <h1>Units</h1>
      <table>
        <tr>
          <td>
            <State word={taskWord({ isPaused: true, active: 0, queued: 0 })} />
          </td>
          <td>a &amp; b</td>
        </tr>
      </table>
      <button type="button">Run</button>
      <input placeholder="Filter" />
    </div>
  );
  assert.equal(textOf(view), "Units\n‖ paused | a & b\n[Run][Filter ______]");
});
