import assert from "node:assert/strict";
import fc from "fast-check";
import { escapeGlob, hasWildcard, matchesGlob, unescapeGlob } from "../../../src/core/config/glob.ts";

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
