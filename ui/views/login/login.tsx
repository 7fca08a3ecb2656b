/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { ApiError, get, send, wordsOf } from "../../net/api.ts";
import { stretch } from "./stretch.ts";

/** Logs in by challenge and response: the password itself is never sent. */
export function Login({ onIn }: { onIn: () => void }) {
  const [state, setState] = useState<{ isBusy: boolean; why: string }>({ isBusy: false, why: "" });
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const password = String(new FormData(form).get("password") ?? "");
    if (password === "" || state.isBusy) return;
    setState({ isBusy: true, why: "" });
    try {
      const { nonce, iterations } = await get("/api/auth/challenge");
      const response = await stretch(password, nonce, iterations);
      await send("/api/auth/login", {}, { nonce, response });
      setState({ isBusy: false, why: "" });
      onIn();
    } catch (error) {
      setState({ isBusy: false, why: whyNot(error) });
      form.querySelector("input")?.select();
    }
  };
  return (
    <main class="alone login">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <h1>svc</h1>
        <p class="muted">on {location.host}</p>
        <input type="text" name="username" autocomplete="username" value="svc" readonly hidden />
        <label for="password">Password</label>
        <input
          id="password"
          type="password"
          name="password"
          autocomplete="current-password"
          autofocus
          required
          aria-describedby="why"
          aria-invalid={state.why !== ""}
        />
        <p id="why" class="bad" role="alert">{state.why}</p>
        <button type="submit" class="primary" aria-busy={state.isBusy}>
          {state.isBusy ? "Logging in …" : "Log in"}
        </button>
        <p class="muted">
          On the machine itself, <code>svc password</code> prints it.
        </p>
      </form>
    </main>
  );
}

function triesLeft(remaining: number | undefined): string {
  if (remaining === undefined) return "";
  const tries = Math.floor(remaining / 2);
  return tries === 0
    ? " No more tries for some minutes."
    : tries === 1
    ? " One more try, then a wait of some minutes."
    : ` ${tries} more tries.`;
}

function whyNot(error: unknown): string {
  if (!(error instanceof ApiError)) return wordsOf(error);
  // A try is a challenge and an answer.
  if (error.status === 401) return `That is not the password of this daemon.${triesLeft(error.remaining)}`;
  if (error.status !== 429) return error.message;
  const wait = error.retryAfter;
  return `Too many tries.${wait === undefined ? "" : ` The next one is possible in ${wait} s.`}`;
}
