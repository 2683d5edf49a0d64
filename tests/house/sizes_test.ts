import assert from "node:assert/strict";
import { join } from "node:path";
import denoJson from "@/deno.json" with { type: "json" };
import { LONGER, sizeRules } from "./sizes.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

/** Returns the errors of the rules for a file, each as `path` or `path: name`. */
const tooLong = (file: string, text: string, longer: Record<string, string> = {}) =>
  Deno.lint.runPlugin(sizeRules(longer), join(ROOT, file), text)
    .map(({ message }) => /^(.*) has \d+ lines/.exec(message)![1]);

Deno.test("files of 300 lines and functions of 70 are the longest", () => {
  const file = (lines: number) => "work();\n".repeat(lines);
  for (const path of ["lib/a.ts", "routes/a.tsx", "components/A.tsx", "scripts/a.ts", "main.ts"]) {
    assert.deepEqual([tooLong(path, file(300)), tooLong(path, file(301))], [[], [path]]);
  }
  assert.deepEqual(tooLong("tests/a_test.ts", file(301)), []);
  assert.deepEqual(tooLong("lib/a_test.ts", file(301)), []);
  const functions: [text: (body: string) => string, name: string][] = [
    [(body) => `function a() {${body}}`, "a"],
    [(body) => `export default function A() {${body}}`, "A"],
    [(body) => `const a = async () => {${body}};`, "a"],
    [(body) => `const a = { b() {${body}} };`, "b"],
    [(body) => `class A { b() {${body}} }`, "b"],
    [(body) => `export default () => {${body}};`, "a function"],
  ];
  for (const [text, name] of functions) {
    const path = "lib/a.tsx";
    assert.deepEqual(tooLong(path, text("\n".repeat(69))), []);
    assert.deepEqual(tooLong(path, text("\n".repeat(70))), [`${path}: ${name}`], text(""));
    assert.deepEqual(tooLong("tests/a_test.ts", text("\n".repeat(70))), []);
  }
});

Deno.test("an exception excepts what it names, and nothing else", () => {
  const text = `function a() {${"\n".repeat(70)}}\nfunction b() {${"\n".repeat(300)}}`;
  assert.deepEqual(tooLong("lib/a.ts", text), ["lib/a.ts", "lib/a.ts: a", "lib/a.ts: b"]);
  const longer = { "lib/a.ts": "", "lib/a.ts: b": "" };
  assert.deepEqual(tooLong("lib/a.ts", text, longer), ["lib/a.ts: a"]);
  assert.deepEqual(tooLong("lib/b.ts", text, longer).length, 3);
});

Deno.test("each exception has its reason, and is still needed", async () => {
  const stale: string[] = [];
  for (const [what, reason] of Object.entries(LONGER)) {
    assert.ok(reason.length > 20, `${what}: ${reason}`);
    const [file] = what.split(": ");
    const text = await Deno.readTextFile(join(ROOT, file)).catch(() => "");
    if (!tooLong(file, text).includes(what)) stale.push(what);
  }
  assert.deepEqual(stale, []);
});

Deno.test("the linter has these rules", () => {
  assert.deepEqual(denoJson.lint.plugins, ["./tests/house/sizes.ts"]);
});
