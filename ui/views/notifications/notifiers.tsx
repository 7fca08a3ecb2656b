import { useEffect, useState } from "preact/hooks";
import { act } from "../../app/actions.ts";
import { get, send } from "../../net/api.ts";
import { Action } from "../../parts/button.tsx";

/** What carries notices elsewhere, as far as it may be known. */
export interface Notifier {
  id: string;
  type: string;
}

/** What came of a test. */
export interface Tested {
  delivered: boolean;
  error: string;
}

interface NotifierListProps {
  notifiers: readonly Notifier[];
  tested: Readonly<Record<string, Tested>>;
  onTest: (id: string) => void;
}

/** The notifiers, each with a way to try it. */
export function NotifierList({ notifiers, tested, onTest }: NotifierListProps) {
  return (
    <section class="panel notices-notifiers" aria-labelledby="notices-notifiers">
      <h2 id="notices-notifiers">Notifiers</h2>
      <ul class="body">
        {notifiers.map(({ id, type }) => {
          const result = Object.hasOwn(tested, id) ? tested[id] : undefined;
          return (
            <li key={id}>
              <code>{id}</code>
              <span class="muted">{type}</span>
              <span class="fill" role="status">
                {result === undefined
                  ? null
                  : result.delivered
                  ? <span class="good">✓ delivered</span>
                  : <span class="bad">✕ {result.error}</span>}
              </span>
              <Action what={`test ${id}`} onClick={() => onTest(id)}>Send a test</Action>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The notifiers of the configuration; nothing where there are none. */
export function Notifiers() {
  const [notifiers, setNotifiers] = useState<readonly Notifier[]>([]);
  const [tested, setTested] = useState<Readonly<Record<string, Tested>>>({});
  useEffect(() => {
    get("/api/config").then(({ notifiers }) => setNotifiers(notifiers), () => {});
  }, []);
  if (notifiers.length === 0) return null;
  const test = async (id: string): Promise<void> => {
    const result = await act(
      `test ${id}`,
      () => send("/api/notifiers/:id/test", { id }),
    );
    if (result !== undefined) setTested((before) => ({ ...before, [id]: result }));
  };
  return <NotifierList notifiers={notifiers} tested={tested} onTest={(id) => void test(id)} />;
}
