import assert from "node:assert/strict";
import { readModule, readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Names that several files of `lib/` export. One name is one thing, wherever it is read. */
function sharedNames(sources: Sources): string[] {
  const files = new Map<string, string[]>();
  for (const [file, text] of sources) {
    if (file.startsWith("lib/fresh/") || /_test\.tsx?$/.test(file)) continue;
    const { imports, exports } = readModule(file, text);
    const passedOn = new Set(imports.flatMap(({ names }) => names));
    for (const name of exports) {
      if (passedOn.has(name) || name === "default") continue;
      files.set(name, [...files.get(name) ?? [], file]);
    }
  }
  return [...files].filter(([, its]) => its.length > 1)
    .map(([name, its]) => `${name}: ${its.join(", ")}`);
}

Deno.test("each exported name of lib/ is defined once", async () => {
  assert.deepEqual(sharedNames(await readSources(/^lib\//)), []);
});

Deno.test("a name that two files export is found, whatever it is", () => {
  const sources = new Map([
    ["lib/a.ts", "export const take = 1;\nexport interface Place {}"],
    ["lib/b.ts", "export function take() {}\nexport type Other = 1;\nconst Place = 2;"],
    ["lib/b_test.ts", "export const Other = 1;"],
    ["lib/c.ts", 'export { Other } from "./b.ts";'],
  ]);
  assert.deepEqual(sharedNames(sources), ["take: lib/a.ts, lib/b.ts"]);
});
