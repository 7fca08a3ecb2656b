import assert from "node:assert/strict";
import {
  expand,
  type Meaning,
  shellOf,
  templateOf,
} from "../../../../src/importers/import/supervisord/expand.ts";
import { readEnvironment } from "../../../../src/importers/import/supervisord/environment.ts";

const meanings: Record<string, Meaning> = {
  name: { is: "text", text: "web" },
  count: { is: "text", text: "7" },
  number: { is: "number", first: 0 },
  port: { is: "number", first: 8000 },
  ENV_X: { is: "variable", name: "X" },
};

function of(text: string): string | string[] {
  const found = expand(text, (name) => meanings[name]);
  if ("fault" in found) return found.fault;
  return found.pieces.map((piece) => typeof piece === "string" ? piece : `<${shellOf(piece)}>`);
}

Deno.test("expand() puts in what names stand for, with widths, and one sign for two", () => {
  assert.deepEqual(of("a%%b-%(name)s-%(count)03d"), ["a%b-web-007"]);
  assert.deepEqual(of("%(number)d|%(number)02d|%(port)s|%(port)05d|%(ENV_X)s"), [
    "<$SVC_INSTANCE>",
    "|",
    '<$(printf %02d "$SVC_INSTANCE")>',
    "|",
    "<$((SVC_INSTANCE + 8000))>",
    "|",
    "<$(printf %05d $((SVC_INSTANCE + 8000)))>",
    "|",
    "<${X?}>",
  ]);
});

Deno.test("expand() says what supervisord refuses", () => {
  assert.match(String(of("100%")), /lone "%"/);
  assert.match(String(of("%(name)x")), /lone "%"/);
  assert.match(String(of("%(other)s")), /stands for nothing/);
  assert.match(String(of("%(name)d")), /wants a number/);
});

Deno.test("templateOf() keeps text of its own out of svc's substitution", () => {
  const pieces = (text: string) => {
    const found = expand(text, (name) => meanings[name]);
    return "pieces" in found ? templateOf(found.pieces) : undefined;
  };
  assert.equal(pieces("${HOME}/%(ENV_X)s"), "$${HOME}/${X}");
  assert.equal(pieces("$%(ENV_X)s"), undefined);
  assert.equal(pieces("%(number)d"), undefined);
});

Deno.test("readEnvironment() reads pairs by the rules of Python's shlex", () => {
  const read = (text: string) => {
    const found = readEnvironment(text);
    return "fault" in found ? found.fault : Object.fromEntries(found.variables);
  };
  assert.deepEqual(read(`A="1", B='x,y',C=/a/b:c,\n D="it's",`), {
    A: "1",
    B: "x,y",
    C: "/a/b:c",
    D: "it's",
  });
  assert.deepEqual(read("A=#gone\n1"), { A: "1" });
  assert.match(String(read(`A="1`)), /never closed/);
  assert.match(String(read("A=1,B")), /pairs with commas/);
  assert.match(String(read("A=p@q")), /pairs with commas/);
});
