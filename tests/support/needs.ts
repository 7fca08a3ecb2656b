/** What some tests can't do without. They are left out where a machine lacks it, which `deno task test` says. */
import { findChromium } from "./chromium.ts";

interface Need {
  isThere: boolean;
  /** What is left out, and how the machine gets it. */
  without: string;
}

export const needs = {
  browser: {
    isThere: await findChromium() !== undefined,
    without: "the page in a real browser (apt-get install --no-install-recommends chromium)",
  },
  curl: { isThere: isInstalled("curl"), without: "the examples of docs/http.md (curl)" },
  root: {
    isThere: Deno.uid() === 0,
    without: "units with a user of their own, and whom root believes (root)",
  },
  zsh: { isThere: isInstalled("zsh"), without: "completions of zsh (zsh)" },
  fish: { isThere: isInstalled("fish"), without: "completions of fish (fish)" },
  promtool: { isThere: isInstalled("promtool"), without: "the alerts as Prometheus reads them (prometheus)" },
  systemd: { isThere: isInstalled("systemd-analyze"), without: "timers as systemd reads them (systemd)" },
  kernel: {
    isThere: isInstalled("linux.uml"),
    without: "limits in a kernel of their own (user-mode-linux)",
  },
} satisfies Record<string, Need>;

/** What is left out here, a sentence each. */
export function leftOut(): string[] {
  return Object.values<Need>(needs).filter(({ isThere }) => !isThere).map(({ without }) => without);
}

function isInstalled(program: string): boolean {
  return ["/usr/local/bin", "/usr/bin", "/bin"].some((folder) => {
    try {
      return Deno.statSync(`${folder}/${program}`).isFile;
    } catch {
      return false;
    }
  });
}
