import assert from "node:assert/strict";
import { packageManagers } from "../../../src/core/upgrade/package_owner.ts";

/** What each says of a file of a package, and of one of none where it succeeds all the same. */
const answers: Record<string, { said: string; cure: string; others: readonly string[] }> = {
  dpkg: {
    said: "svc: /usr/bin/svc\n",
    cure: "apt-get install --only-upgrade svc",
    others: ["diversion by dash from: /bin/sh\n", ""],
  },
  rpm: {
    said: "svc\n",
    cure: "dnf upgrade svc",
    others: ["file /usr/local/bin/svc is not owned by any package\n"],
  },
  apk: {
    said: "/usr/bin/svc is owned by svc-1.2.3-r0\n",
    cure: "apk add --upgrade svc",
    others: ["ERROR: /usr/local/bin/svc: Could not find owner package\n"],
  },
  pacman: { said: "svc\n", cure: "pacman -S svc", others: ["error: No package owns /usr/local/bin/svc\n"] },
};

Deno.test("packageManagers find the package in what each says, and how to upgrade it", () => {
  for (const { ask, nameIn, upgrade } of packageManagers) {
    const { said, cure, others } = answers[ask[0]!]!;
    assert.equal(upgrade(nameIn.exec(said)?.[1] ?? "nothing"), cure);
    for (const other of others) assert.equal(nameIn.exec(other)?.[1], undefined, other);
  }
  const [dpkg] = packageManagers;
  assert.equal(dpkg!.nameIn.exec("svc-bin:amd64, svc: /usr/bin/svc\n")?.[1], "svc-bin");
});
