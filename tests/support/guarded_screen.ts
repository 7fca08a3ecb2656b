import { guardScreen } from "../../src/tui/guard_screen.ts";

// A program that takes the screen, and then breaks in the way that its argument names.
const { promise: left, resolve: leave } = Promise.withResolvers<number>();
const guard = guardScreen(leave);
Deno.stdin.setRaw(true);
await Deno.stdout.write(new TextEncoder().encode("\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1006h"));
setTimeout(() => {
  const error = new Error("it broke\n  in two lines");
  if (Deno.args[0] === "throws") throw error;
  void Promise.reject(error);
});
const code = await left;
guard.release();
Deno.exit(code);
