import assert from "node:assert/strict";
import fc from "fast-check";
import {
  escapeGlob,
  faultOfGlob,
  hasWildcard,
  matchesGlob,
  unescapeGlob,
} from "../../../src/core/config/glob.ts";
import { segmentPattern } from "../../../src/core/config/glob_segment.ts";
import { slowMatch } from "./slow_glob.ts";

Deno.test("matchesGlob() matches as a shell does", { permissions: "none" }, () => {
  const table: [glob: string, yes: string[], no: string[]][] = [
    ["/a/*.toml", ["/a/x.toml", "/a/-.toml"], [
      "/a/.toml",
      "/a/.x.toml",
      "/a/b/x.toml",
      "/a/x.toml~",
      "/b/x.toml",
    ]],
    ["/a/?.t", ["/a/x.t", "/a/é.t"], ["/a/.t", "/a/xy.t", "/a//.t"]],
    ["/a/[a-c]x", ["/a/ax", "/a/cx"], ["/a/dx", "/a/x"]],
    ["/a/[!a-c]x", ["/a/dx"], ["/a/ax", "/a//x"]],
    ["/a/[]x]", ["/a/]", "/a/x"], ["/a/y"]],
    ["/a/[c-a]", ["/a/c", "/a/a"], ["/a/b"]],
    ["/a/{x,y{1,2}}.t", ["/a/x.t", "/a/y1.t", "/a/y2.t"], ["/a/y.t", "/a/{x.t"]],
    ["/a/{x", ["/a/{x"], ["/a/x"]],
    ["/a/{*.x,b*}", ["/a/q.x", "/a/b", "/a/bc"], ["/a/.q.x", "/a/c"]],
    ["/a/b{*,.c}", ["/a/b.d", "/a/b.c"], ["/a/.b"]],
    ["/a/{[},]}", ["/a/}", "/a/,"], ["/a/x"]],
    ["/a/**/x", ["/a/x", "/a/b/x", "/a/b/c/x"], ["/a/.b/x", "/x", "/a/b/xx"]],
    ["/a/\\*", ["/a/*"], ["/a/x"]],
    ["/a/.*", ["/a/.x"], ["/a/x"]],
    ["/a/x.t", ["/a/x.t"], ["/a/xxt"]],
    ["/a/[x", ["/a/[x"], ["/a/x"]],
    ["/a/a+(b)|c^$", ["/a/a+(b)|c^$"], ["/a/ab"]],
  ];
  for (const [glob, yes, no] of table) {
    for (const path of yes) assert.equal(matchesGlob(path, glob), true, `${glob} takes ${path}`);
    for (const path of no) assert.equal(matchesGlob(path, glob), false, `${glob} leaves ${path}`);
  }
});

Deno.test("hasWildcard() sees wildcards that no backslash takes away", { permissions: "none" }, () => {
  for (const glob of ["*", "a?", "[a]", "{a,b}", "\\\\*"]) assert.equal(hasWildcard(glob), true, glob);
  for (const text of ["", "a", "\\*", "a]", "\\[x", "a}"]) assert.equal(hasWildcard(text), false, text);
});

Deno.test("escapeGlob() makes a glob that matches its text alone", { permissions: "none" }, () => {
  const segment = fc.string({
    unit: fc.constantFrom("a", "*", "?", "[", "]", "{", "}", ",", "\\", "-", "!", "."),
  });
  fc.assert(
    fc.property(segment, segment, (a, b) => {
      const glob = escapeGlob(`/${a}`);
      assert.equal(hasWildcard(glob), false);
      assert.equal(unescapeGlob(glob), `/${a}`);
      assert.equal(matchesGlob(`/${b}`, glob), a === b);
    }),
    { seed: 61, numRuns: 2000 },
  );
});

Deno.test("matchesGlob() takes any glob without throwing", { permissions: "none" }, () => {
  const unit = fc.constantFrom(
    "a",
    "*",
    "?",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\\",
    "-",
    "!",
    "^",
    "/",
    "&&",
    "é",
    "😀",
  );
  fc.assert(
    fc.property(fc.array(unit), fc.array(unit), (glob, path) => {
      assert.equal(typeof matchesGlob(`/${path.join("")}`, `/${glob.join("")}`), "boolean");
    }),
    { seed: 62, numRuns: 3000 },
  );
});

Deno.test("segmentPattern() matches what trying out every way matches", { permissions: "none" }, () => {
  const signs = fc.constantFrom("a", "b", ".", "*", "?", "[", "]", "{", "}", ",", "\\", "-", "!", "😀");
  const glob = fc.array(signs, { maxLength: 9 }).map((all) => all.join(""));
  const name = fc.array(fc.constantFrom("a", "b", ".", ",", "-", "]", "{", "}", "[", "!", "\\", "😀"), {
    maxLength: 5,
  }).map((all) => all.join(""));
  let matched = 0;
  const compare = (glob: string, name: string): void => {
    const expected = slowMatch(glob, name);
    if (expected) matched++;
    assert.equal(segmentPattern(glob).test(name), expected, JSON.stringify([glob, name]));
  };
  fc.assert(fc.property(glob, name, compare), { seed: 63, numRuns: 20_000 });
  // Groups and sets that are well formed, which chance makes too seldom.
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("a", "b", ".", "*", "?", "[ab]", "[!a]", "[b-a]", "\\*", ""),
      fc.array(tie("tree"), { maxLength: 3 }).map((all) => all.join("")),
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((all) => `{${all.join(",")}}`),
    ),
  }));
  fc.assert(fc.property(tree, name, compare), { seed: 64, numRuns: 10_000 });
  assert.ok(matched > 1_000, `${matched} matches`);
});

Deno.test("segmentPattern() keeps a wildcard from a leading dot also where braces begin with nothing", {
  permissions: "none",
}, () => {
  const table: [glob: string, name: string, isMatch: boolean][] = [
    ["{,a}*", ".b", false],
    ["{,.}*", ".b", true],
    ["*.b", ".b", false],
    ["{*,.b}", ".b", true],
    ["[.]b", ".b", false],
  ];
  for (const [glob, name, isMatch] of table) assert.equal(segmentPattern(glob).test(name), isMatch, glob);
});

Deno.test(
  "segmentPattern() takes no longer for patterns that are made to take long",
  { permissions: "none" },
  () => {
    // Each of these would be tried out in more ways than there are atoms.
    for (
      const glob of ["a*".repeat(500) + "b", "{a,aa}".repeat(150) + "b", "{".repeat(500) + "*".repeat(500)]
    ) {
      assert.equal(segmentPattern(glob).test("a".repeat(200)), false);
    }
    assert.equal(matchesGlob(`/a${"/a".repeat(200)}`, `${"/**/a".repeat(150)}/b`), false);
  },
);

Deno.test("faultOfGlob() bounds length and nesting", { permissions: "none" }, () => {
  assert.equal(faultOfGlob(`${"{a,".repeat(8)}${"}".repeat(8)}\\{{${"{}".repeat(20)}`), undefined);
  assert.match(faultOfGlob("{".repeat(9)) ?? "", /^has braces in more than 8 levels: /);
  assert.match(faultOfGlob("a".repeat(1_025)) ?? "", /^has 1025 characters, and a glob may have 1024: /);
});
