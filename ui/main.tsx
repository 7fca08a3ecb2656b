/// <reference lib="dom" />
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";

/** What the page says of the daemon. */
type Health = "asking" | "up" | "away";

const sentences: Record<Health, string> = {
  asking: "Asking the daemon …",
  up: "The daemon is up.",
  away: "The daemon does not answer.",
};

/** The page: names the product and tells whether its daemon answers. */
function Page() {
  const [health, setHealth] = useState<Health>("asking");
  useEffect(() => {
    const ask = async (): Promise<void> => {
      const response = await fetch("/health").catch(() => undefined);
      setHealth(response?.ok ? "up" : "away");
    };
    ask();
    const timer = setInterval(ask, 5000);
    return () => clearInterval(timer);
  }, []);
  return (
    <main>
      <h1>svc</h1>
      <p role="status">{sentences[health]}</p>
      <p>
        On this machine <code>svc list</code> shows its tasks and services.
      </p>
    </main>
  );
}

render(<Page />, document.body);
