import assert from "node:assert/strict";
import { distrustOf, type Standing } from "../../src/core/trust.ts";

const root: Standing = { path: "/", kind: "folder", uid: 0, gid: 0, mode: 0o755 };
const temporary: Standing = { path: "/tmp", kind: "folder", uid: 0, gid: 0, mode: 0o1777 };
const mine: Standing = { path: "/tmp/x", kind: "folder", uid: 1000, gid: 1000, mode: 0o755 };

Deno.test("distrustOf() believes what only this user and root could change", { permissions: "none" }, () => {
  const why = (steps: Standing[], uid = 1000) => distrustOf({ steps, isWhole: true }, uid);
  assert.equal(why([root, temporary, mine]), undefined);
  assert.equal(why([root, temporary, { ...mine, mode: 0o775 }]), undefined, "a group of its owner's own");
  assert.equal(why([root, { ...mine, uid: 0, gid: 0, mode: 0o775 }]), undefined, "root's group");
  assert.deepEqual(why([root, temporary, mine], 0), { path: "/tmp/x", why: "user 1000 owns it" });
  assert.deepEqual(why([root, temporary, { ...mine, uid: 1001 }]), {
    path: "/tmp/x",
    why: "user 1001 owns it",
  });
  for (const mode of [0o757, 0o1777]) {
    assert.deepEqual(why([root, temporary, { ...mine, mode }]), {
      path: "/tmp/x",
      why: "others may write it",
    });
  }
  assert.deepEqual(why([root, { ...mine, gid: 50, mode: 0o775 }]), {
    path: "/tmp/x",
    why: "others may write it",
  });
});

Deno.test("distrustOf() passes what everybody may write only where each owns what is his", {
  permissions: "none",
}, () => {
  const open = { ...temporary, mode: 0o777 };
  assert.deepEqual(distrustOf({ steps: [root, open, mine], isWhole: true }, 1000)?.path, "/tmp");
  // What isn't there yet can be made there.
  assert.equal(distrustOf({ steps: [root, temporary], isWhole: false }, 1000), undefined);
  assert.equal(distrustOf({ steps: [root, open], isWhole: false }, 1000)?.path, "/tmp");
});

Deno.test("distrustOf() asks whose a link is, not what its bits say", { permissions: "none" }, () => {
  const link: Standing = { path: "/tmp/l", kind: "link", uid: 1000, gid: 1000, mode: 0o777 };
  assert.equal(distrustOf({ steps: [root, temporary, link, mine], isWhole: true }, 1000), undefined);
  assert.equal(distrustOf({ steps: [root, temporary, link, mine], isWhole: true }, 0)?.path, "/tmp/l");
});

Deno.test(
  "distrustOf() knows root by what it owns, whatever its number is in here",
  { permissions: "none" },
  () => {
    const outside = { ...root, uid: 65534, gid: 65534 };
    const above = { ...temporary, uid: 65534, gid: 65534 };
    assert.equal(distrustOf({ steps: [outside, above, mine], isWhole: true }, 1000), undefined);
  },
);

Deno.test("distrustOf() believes nothing that nobody may look at", { permissions: "none" }, () => {
  const distrust = distrustOf({ steps: [root], isWhole: false, blind: "/dev" }, 0);
  assert.deepEqual(distrust, { path: "/dev", why: "svc may not look at it" });
});
