import { Dialog } from "./dialog.tsx";
import { allKeys } from "./keys.ts";

/** Which keys do what on this page. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {allKeys().map(({ keys, text }) => (
          <div key={keys + text}>
            <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Ctrl</kbd>
            <kbd>K</kbd>
          </dt>
          <dd>find a unit, a run, an action</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>close what is open</dd>
        </div>
      </dl>
    </Dialog>
  );
}
