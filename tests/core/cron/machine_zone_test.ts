import assert from "node:assert/strict";
import { machineZone } from "../../../src/core/cron/machine_zone.ts";
import { offsetAt, zoneOf } from "../../../src/core/cron/zone.ts";

const links: Record<string, string> = {
  "/etc/localtime": "/usr/share/zoneinfo/Asia/Tokyo",
  "/usr/share/zoneinfo/Europe/Berlin": "/usr/share/zoneinfo/Europe/Berlin",
  "/srv/own.tz": "/srv/own.tz",
};
const about = { system: "Europe/Paris", year: 2026, target: (path: string) => links[path] };

Deno.test("machineZone() takes the zone that the runtime began with where no link tells the machine's", {
  permissions: "none",
}, () => {
  const unlinked = { ...about, target: () => undefined };
  assert.deepEqual(machineZone(undefined, unlinked), { zone: "Europe/Paris" });
  const utc = { ...about, target: () => "/usr/share/zoneinfo/Etc/UTC" };
  assert.deepEqual(machineZone(undefined, utc), { zone: "UTC" });
});

const zones: [string | undefined, string][] = [
  [undefined, "Asia/Tokyo"],
  ["", "UTC"],
  [":", "UTC"],
  ["Europe/Berlin", "Europe/Berlin"],
  [":Europe/Berlin", "Europe/Berlin"],
  ["right/Europe/Berlin", "Europe/Berlin"],
  ["posix/Europe/Berlin", "Europe/Berlin"],
  ["/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"],
  [":/etc/localtime", "Asia/Tokyo"],
  ["/no/such/file", "UTC"],
  ["Mars/Phobos", "UTC"],
  ["UTC0", "UTC"],
  ["GMT+3", "Etc/GMT+3"],
  ["<+03>-3", "Etc/GMT-3"],
  ["<-03>3", "Etc/GMT+3"],
  ["IST-5:30", "Asia/Calcutta"],
  ["EST5EDT", "EST5EDT"],
  ["EST5EDT,M3.2.0,M11.1.0", "EST5EDT"],
  ["CET-1CEST,M3.5.0,M10.5.0/3", "CET"],
  ["NZST-12NZDT,M9.5.0,M4.1.0/3", "Antarctica/McMurdo"],
  ["<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "Australia/Lord_Howe"],
  ["IST-2IDT,M3.4.4/26,M10.5.0", "Asia/Jerusalem"],
  ["<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "America/Godthab"],
];

Deno.test("machineZone() takes TZ as the C library does", { permissions: "none" }, () => {
  for (const [tz, zone] of zones) {
    const unknown = tz === "Mars/Phobos" || tz === "/no/such/file" ? { isUnknown: true } : {};
    assert.deepEqual(machineZone(tz, about), { zone, ...unknown }, JSON.stringify(tz));
  }
});

Deno.test("machineZone() says why where no zone is like it", { permissions: "none" }, () => {
  assert.deepEqual(machineZone("QQQ3:17", about), { why: 'no time zone has the rule of TZ="QQQ3:17"' });
  assert.deepEqual(machineZone("AAA1BBB,J60/0,J300/0", about), {
    why: 'no time zone has the rule of TZ="AAA1BBB,J60/0,J300/0"',
  });
  assert.deepEqual(machineZone("/srv/own.tz", about), {
    why: 'the file of TZ="/srv/own.tz" has no zone\'s name',
  });
});

Deno.test("machineZone() takes a machine without a zone for one of UTC", { permissions: "none" }, () => {
  assert.deepEqual(machineZone(undefined, { ...about, target: () => undefined, system: "Etc/Unknown" }), {
    zone: "UTC",
  });
});

Deno.test("machineZone() has the offsets that date has", async () => {
  const days = Array.from({ length: 400 }, (_, day) => Date.UTC(2026, 0, 1 + day, 12) / 1000);
  const input = days.map((second) => `@${second}\n`).join("");
  for (const [tz, name] of zones) {
    // Files and names are there or not; rules are read the same everywhere.
    if (tz === undefined || tz.includes("/")) continue;
    const child = new Deno.Command("date", {
      args: ["-f", "-", "+%z"],
      env: { TZ: tz },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { stdout } = await child.output();
    const said = new TextDecoder().decode(stdout).trim().split("\n").map((text) =>
      (text.startsWith("-") ? -1 : 1) * (Number(text.slice(1, 3)) * 60 + Number(text.slice(3)))
    );
    const zone = zoneOf(name);
    assert.deepEqual(said, days.map((second) => offsetAt(zone, second * 1000) / 60_000), tz);
  }
});
