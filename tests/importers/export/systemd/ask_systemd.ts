/** The next times of a calendar event as systemd itself finds them, as UTC seconds. Throws what it says against it. */
export function askSystemd(line: string, { after, count }: { after: number; count: number }): number[] {
  const { stdout, success, stderr } = new Deno.Command("systemd-analyze", {
    args: ["calendar", `--iterations=${count}`, `--base-time=@${after}`, line],
    env: { TZ: "UTC", SYSTEMD_COLORS: "0" },
  }).outputSync();
  if (!success) throw new RangeError(`${line}: ${new TextDecoder().decode(stderr)}`);
  const times = new TextDecoder().decode(stdout).matchAll(/(?:elapse|#\d+): \w+ (\S+) (\S+) UTC/g);
  return Array.from(times, ([, date, time]) => Date.parse(`${date}T${time}Z`) / 1000);
}
