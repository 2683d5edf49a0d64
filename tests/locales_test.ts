import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LANGUAGES } from "../lib/i18n/languages.ts";
import { walk } from "./support/walk.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

type Catalog = Record<string, string>;

/** Forms of one sentence for different counts: languages have different ones. */
const PLURAL = /_(zero|one|two|few|many|other)$/;

async function readCatalogs(): Promise<Map<string, Catalog>> {
  const catalogs = new Map<string, Catalog>();
  for await (const file of walk(join(ROOT, "locales"), /\.json$/)) {
    const tree = JSON.parse(await Deno.readTextFile(join(ROOT, "locales", file)));
    catalogs.set(file.replace(/\.json$/, ""), Object.fromEntries(flatten(tree)));
  }
  return catalogs;
}

function* flatten(tree: object, prefix = ""): Generator<[string, string]> {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") yield [prefix + name, value];
    else yield* flatten(value, `${prefix}${name}.`);
  }
}

/** The placeholders of each key, those of its plural forms together. */
function placeholders(catalog: Catalog): Record<string, string[]> {
  const found: Record<string, Set<string>> = {};
  for (const [key, sentence] of Object.entries(catalog)) {
    const names = found[key.replace(PLURAL, "")] ??= new Set();
    for (const [, name] of sentence.matchAll(/\{\{\s*(\w+)\s*\}\}/g)) {
      // "One file" need not say 1.
      if (!(name === "count" && PLURAL.test(key))) names.add(name);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([key, names]) => [key, [...names].sort()]));
}

interface Uses {
  /** Texts that look like keys, with where they stand. */
  literals: Map<string, string>;
  /** What template strings such as `tasks.status.${status}` stand for. */
  patterns: RegExp[];
}

const LITERAL = /["'`]([a-z][a-z0-9_]*(?:\.[a-z0-9_-]+)+)["'`]/g;
const TEMPLATE =
  /`([a-z][a-z0-9_]*\.(?:[a-z0-9_.-]|\$\{[^}]*\})*\$\{(?:[a-z0-9_.-]|\$\{|[^`}]*\})*)`/g;

async function findUses(namespaces: Set<string>): Promise<Uses> {
  const uses: Uses = { literals: new Map(), patterns: [] };
  for await (const file of walk(ROOT, /^(lib|routes|islands|components)\/.*\.tsx?$/)) {
    if (file.startsWith("lib/fresh/") || /_test\.tsx?$/.test(file)) continue;
    const text = await Deno.readTextFile(join(ROOT, file));
    const isKey = (key: string) => namespaces.has(key.slice(0, key.indexOf(".")));
    for (const [, key] of text.matchAll(LITERAL)) {
      if (isKey(key)) uses.literals.set(key, file);
    }
    for (const [, template] of text.matchAll(TEMPLATE)) {
      if (!isKey(template)) continue;
      const parts = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(".", "\\."));
      uses.patterns.push(new RegExp(`^${parts.join("[a-z0-9_-]*")}$`));
    }
  }
  return uses;
}

const catalogs = await readCatalogs();
const english = catalogs.get("en")!;
const keys = new Set(Object.keys(english).map((key) => key.replace(PLURAL, "")));
const uses = await findUses(new Set(Object.keys(english).map((key) => key.split(".")[0])));

Deno.test("every language has the keys and placeholders of English", () => {
  for (const [language, catalog] of catalogs) {
    assert.ok(language in LANGUAGES, `locales/${language}.json is no language of the menu`);
    assert.deepEqual(placeholders(catalog), placeholders(english), language);
  }
});

Deno.test("no sentence is empty", () => {
  for (const [language, catalog] of catalogs) {
    const empty = Object.keys(catalog).filter((key) => catalog[key].trim() === "");
    assert.deepEqual(empty, [], language);
  }
});

Deno.test("every key in the code has its sentence", () => {
  // "errors.run" may stand alone where the last part is put together.
  const isBranch = (text: string) => [...keys].some((key) => key.startsWith(text + "."));
  const missing = [...uses.literals].filter(([key]) => !keys.has(key) && !isBranch(key));
  assert.deepEqual(missing.map(([key, file]) => `${file}: ${key}`), []);
});

Deno.test("every sentence is used", () => {
  const unused = [...keys].filter((key) =>
    !uses.literals.has(key) && !uses.patterns.some((pattern) => pattern.test(key))
  );
  assert.deepEqual(unused, []);
});
