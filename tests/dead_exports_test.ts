import assert from "node:assert/strict";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import denoJson from "../deno.json" with { type: "json" };
import { walk } from "./support/walk.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What the framework imports by its name, so that no file of ours does. */
const IMPORTED_BY_NAME: [files: RegExp, names: RegExp][] = [
  [/^routes\//, /^(default|handlers?|config)$/],
  [/^islands\//, /^default$/],
  // It has the names of the package that it stands in for, and generated code imports it, too.
  [/^lib\/fresh\//, /./],
];

const DECLARED =
  /^export (default )?(?:abstract |async )*(?:function\*?|class|const|let|type|interface|enum) (\w+)/gm;
const DEFAULT = /^export default (?!(?:abstract |async )*(?:function\*?|class) \w)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}(?: from "([^"]+)")?;$/gm;
/** Capitals are of a shell, in a text. */
const EXPORT = /^export [a-z{]/gm;
const IMPORTED = /^import (?:type )?(?:(\w+)(?:, )?)?(?:\{([^}]*)\}|\* as \w+)? ?from "([^"]+)"/gm;
/** Everything of a file: who asks for it like this says nowhere what it takes. */
const ALL = /^export \* from "([^"]+)"|^import \* as \w+ from "([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

type Sources = Map<string, string>;

/** The exports that no other file imports, as "file: name". */
function deadExports(sources: Sources, imports: Record<string, string>): string[] {
  const used = usedExports(sources, imports);
  const dead: string[] = [];
  for (const [file, text] of sources) {
    if (used.has(`${file}: *`)) continue;
    for (const name of exportedNames(file, text)) {
      const byFramework = IMPORTED_BY_NAME.some(([files, names]) =>
        files.test(file) && names.test(name)
      );
      if (!byFramework && !used.has(`${file}: ${name}`)) dead.push(`${file}: ${name}`);
    }
  }
  return dead;
}

function exportedNames(file: string, text: string): string[] {
  const declared = [...text.matchAll(DECLARED)].map(([, isDefault, name]) =>
    isDefault ? "default" : name
  );
  const defaults = [...text.matchAll(DEFAULT)].map(() => "default");
  const lists = [...text.matchAll(LISTED)];
  assert.equal(
    declared.length + defaults.length + lists.length,
    text.match(EXPORT)?.length ?? 0,
    `${file} has an export that this test cannot read`,
  );
  const listed = lists.flatMap(([, list]) => namesIn(list).map(([, exported]) => exported));
  return [...declared, ...defaults, ...listed];
}

function usedExports(sources: Sources, imports: Record<string, string>): Set<string> {
  const used = new Set<string>();
  for (const [file, text] of sources) {
    const use = (specifier: string, name: string) =>
      used.add(`${resolve(file, specifier, imports)}: ${name}`);
    for (const [, byDefault, list = "", from] of text.matchAll(IMPORTED)) {
      if (byDefault) use(from, "default");
      for (const [name] of namesIn(list)) use(from, name);
    }
    for (const [, list, from] of text.matchAll(LISTED)) {
      if (from) namesIn(list).forEach(([name]) => use(from, name));
    }
    for (const found of text.matchAll(ALL)) use(found.slice(1).find(Boolean)!, "*");
  }
  return used;
}

/** Of `a, type b as c`: what each is called there, and here. */
const namesIn = (list: string): [there: string, here: string][] =>
  list.split(",").map((entry) => entry.trim().replace(/^type /, "")).filter(Boolean)
    .map((entry) => entry.split(" as ")).map(([there, here = there]) => [there, here]);

function resolve(file: string, specifier: string, imports: Record<string, string>): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier);
  const prefix = Object.keys(imports).find((key) => key.endsWith("/") && specifier.startsWith(key));
  const target = prefix ? imports[prefix] + specifier.slice(prefix.length) : imports[specifier];
  return posix.normalize(target ?? specifier);
}

Deno.test("each export is imported by another file", async () => {
  const sources: Sources = new Map();
  for await (const file of walk(ROOT, /\.tsx?$/)) {
    sources.set(file, await Deno.readTextFile(join(ROOT, file)));
  }
  assert.ok(sources.size > 500, `${sources.size} files`);
  assert.deepEqual(deadExports(sources, denoJson.imports), []);
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
    deadExports(new Map([["lib/a.ts", a], [file, text]]), {
      "@/": "./",
      "fresh": "./lib/fresh/mod.ts",
    });
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
  assert.throws(() => deadOf("export const { a } = b;"), /cannot read/);
  const route = "export const handler = {};\nexport default 1;\nexport const helper = 1;";
  assert.deepEqual(deadOf(route, "routes/x.tsx").slice(all.length), ["routes/x.tsx: helper"]);
  assert.deepEqual(deadOf("export const api = 1;", "lib/fresh/mod.ts").slice(all.length), []);
});
