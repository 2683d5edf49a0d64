import assert from "node:assert/strict";
import { readModule, readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Exports that the framework imports by name, so that no file of ours does. */
const IMPORTED_BY_NAME: [files: RegExp, names: RegExp][] = [
  [/^routes\//, /^(default|handlers?|config)$/],
  [/^islands\//, /^default$/],
  // They have the names of the package that they replace.
  [/^lib\/fresh\/(mod|dev|runtime)\.ts$/, /./],
  // The script that is made for a page's islands imports it.
  [/^lib\/fresh\/client\.ts$/, /^boot$/],
  // The modules that run several files of tests import it.
  [/^tests\/support\/basics\/name_tests\.ts$/, /^nameTestsOf$/],
  // The linter imports it.
  [/^tests\/house\/sizes\.ts$/, /^default$/],
];

/** Returns the exports that no other file imports, as "file: name". */
function deadExports(sources: Sources): string[] {
  const modules = [...sources].map(([file, text]) => ({ file, ...readModule(file, text) }));
  const used = new Set<string>();
  for (const { imports } of modules) {
    for (const { to, names } of imports) for (const name of names) used.add(`${to}: ${name}`);
  }
  return modules.flatMap(({ file, exports }) =>
    exports.filter((name) =>
      !used.has(`${file}: *`) && !used.has(`${file}: ${name}`) &&
      !IMPORTED_BY_NAME.some(([files, names]) => files.test(file) && names.test(name))
    ).map((name) => `${file}: ${name}`)
  );
}

Deno.test("each export is imported by another file", async () => {
  assert.deepEqual(deadExports(await readSources()), []);
});

Deno.test("an export is dead until another file imports it, however it does", () => {
  const a = [
    "export const one = 1;",
    "export async function two() {}",
    "export interface Three {}",
    "const four = 4, five = 5;",
    "export {\n  four,\n  five as six,\n};",
    "export default one;",
    "const eight = one + two();",
  ].join("\n");
  const all = ["one", "two", "Three", "four", "six", "default"].map((name) => `lib/a.ts: ${name}`);
  const deadOf = (text: string, file = "lib/b.ts") =>
    deadExports(new Map([["lib/a.ts", a], [file, text]]));
  const without = (...names: string[]) =>
    all.filter((entry) => !names.includes(entry.split(" ")[1])).toSorted();
  const cases: [text: string, dead: string[]][] = [
    ["", without()],
    ["// import { one } from './a.ts'\nconst one = 1;", without()],
    ['import { one } from "./other/a.ts";', without()],
    ['import { one } from "./a.ts";', without("one")],
    ['import { six, type Three as T } from "./a.ts";', without("six", "Three")],
    ['import {\n  four,\n  two,\n} from "@/lib/a.ts";', without("four", "two")],
    ['import a, { one } from "./a.ts";', without("default", "one")],
    ['import type { Three } from "./a.ts";', without("Three")],
    ['import "./a.ts";', without()],
    ['export { two } from "./a.ts";', [...without("two"), "lib/b.ts: two"]],
    ['export * from "./a.ts";', []],
    ['import * as a from "./a.ts";', []],
    ['const { one } = await import("./a.ts");', []],
  ];
  for (const [text, dead] of cases) assert.deepEqual(deadOf(text).toSorted(), dead, text);
  assert.deepEqual(deadOf("export const { a } = b;").at(-1), "lib/b.ts: (taken apart)");
  const route = "export const handler = {};\nexport default 1;\nexport const helper = 1;";
  assert.deepEqual(deadOf(route, "routes/x.tsx").slice(all.length), ["routes/x.tsx: helper"]);
  const fresh = (file: string) =>
    deadOf("export const api = 1;", `lib/fresh/${file}`).slice(all.length);
  assert.deepEqual([...fresh("mod.ts"), ...fresh("render.ts")], ["lib/fresh/render.ts: api"]);
});
