import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { catalogs } from "@/lib/i18n/catalogs.ts";
import {
  catalogOf,
  meantKeys,
  PLURAL,
  type Sentences,
  sentencesOf,
  wrongSentences,
} from "@/tests/support/house/catalogs.ts";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

interface Uses {
  /** Texts that look like keys, with their locations. */
  literals: Map<string, string>;
  /** Patterns of template strings such as `tasks.status.${status}`. */
  patterns: RegExp[];
  /** Keys of sentences in tests. They do not make a sentence used. */
  inTests: Map<string, string>;
}

const LITERAL = /["'`]([a-z][a-z0-9_]*(?:\.[a-z0-9_-]+)+)["'`]/g;
const TEMPLATE =
  /`([a-z][a-z0-9_]*\.(?:[a-z0-9_.-]|\$\{[^}]*\})*\$\{(?:[a-z0-9_.-]|\$\{|[^`}]*\})*)`/g;

/** A sentence in the code of a test, which is stored or compared. */
const SENTENCE = /\bkey: "([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)"/g;

async function findUses(namespaces: Set<string>): Promise<Uses> {
  const uses: Uses = { literals: new Map(), patterns: [], inTests: new Map() };
  const isKey = (key: string) => namespaces.has(key.slice(0, key.indexOf(".")));
  for await (
    const file of walk(ROOT, /^(lib|routes|islands|components|scripts|tests)\/.*\.tsx?$/)
  ) {
    if (file.startsWith("lib/fresh/")) continue;
    const text = await Deno.readTextFile(join(ROOT, file));
    if (file.startsWith("tests/") || /_test\.tsx?$/.test(file)) {
      for (const [, key] of text.matchAll(SENTENCE)) {
        if (isKey(key)) uses.inTests.set(key, file);
      }
      continue;
    }
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

const english = sentencesOf("en");
const keys = new Set(Object.keys(english).map((key) => key.replace(PLURAL, "")));
const uses = await findUses(new Set(Object.keys(english).map((key) => key.split(".")[0])));

for (const language of catalogs.keys()) {
  Deno.test(`the sentences of ${language} are whole`, async () => {
    const meant = await meantKeys(language);
    assert.deepEqual(wrongSentences(language, sentencesOf(language), english, meant), []);
  });
}

Deno.test("errors in a language are found", () => {
  const en: Sentences = { a: "Key {{name}}", b_one: "A key", b_other: "{{count}} keys" };
  const pl = { b_one: "klucz", b_few: "{{count}} klucze", b_many: "{{count}} kluczy" };
  const polish = { a: "Klucz {{name}}", ...pl, b_other: "{{count}} klucza" };
  const wrong = (change: Partial<Record<string, string>>, meant: string[] = []) => {
    const sentences = Object.entries({ ...polish, ...change }).filter(([, text]) =>
      text !== undefined
    );
    return wrongSentences("pl", Object.fromEntries(sentences) as Sentences, en, new Set(meant));
  };
  assert.deepEqual(wrong({}), []);
  assert.deepEqual(wrong({ b_one: "{{count}} klucz" }), []);
  assert.deepEqual(wrong({ b_many: undefined }), ["b_many: is missing"]);
  assert.deepEqual(wrong({ b_two: "dwa" }), [
    "b_two: is no key, or no form that the language counts by",
  ]);
  assert.deepEqual(wrong({ a: "Klucz" }), ["a: lacks {{name}}"]);
  assert.deepEqual(wrong({ a: "Klucz {{name}} {{id}}" }), ["a: has {{id}}"]);
  assert.deepEqual(wrong({ a: "Klucz {{name}} {" }), ["a: stray braces"]);
  assert.deepEqual(wrong({ a: "Klucz {{name}} " }), ["a: stray blanks"]);
  assert.deepEqual(wrong({ a: "Key {{name}}" }), ["a: is English"]);
  assert.deepEqual(wrong({ a: "Key {{name}}" }, ["a"]), []);
  assert.deepEqual(wrong({}, ["a"]), ["a: is listed as English, and is not"]);
  assert.deepEqual(catalogOf({ "a.b": "1", "a.c.d": "2" }), { a: { b: "1", c: { d: "2" } } });
});

Deno.test("no key stands twice in a file, where only the last one would count", async () => {
  for (const language of Object.keys(catalogs)) {
    const text = await Deno.readTextFile(join(ROOT, `locales/${language}.json`));
    assert.equal(JSON.stringify(JSON.parse(text), null, 2) + "\n", text, language);
  }
});

Deno.test("each language has a file and a name of its own", async () => {
  const files = (await readdir(new URL("../../locales", import.meta.url)))
    .filter((name) => name.endsWith(".json")).map((name) => name.replace(".json", ""));
  assert.deepEqual([...catalogs.keys()].sort(), files.sort());
  const names = [...catalogs.values()].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, names.join());
});

Deno.test("English has two plural forms", () => {
  const forms = Object.keys(english).filter((key) => PLURAL.test(key));
  const bases = new Set(forms.map((key) => key.replace(PLURAL, "")));
  assert.equal(forms.length, 2 * bases.size, "English counts by two forms");
});

Deno.test("people approve, and only two statuses are about a confirmation", () => {
  const confirming = Object.entries(english).filter(([, text]) =>
    /confirm/i.test(text.replaceAll(/{{\w+}}/g, ""))
  );
  assert.deepEqual(confirming, [
    ["tasks.status.waiting_confirmation", "Waiting confirmation"],
    ["tasks.status.confirmed", "Confirmed"],
  ]);
});

Deno.test("every key in the code has its sentence", () => {
  // "errors.run" may stand alone if the last part is added at run time.
  const isBranch = (text: string) => [...keys].some((key) => key.startsWith(text + "."));
  const named = [...uses.literals, ...uses.inTests];
  // A document may have the name of a section of sentences.
  const isDocument = (text: string) => /^\w+\.md$/.test(text);
  const missing = named.filter(([key]) => !keys.has(key) && !isBranch(key) && !isDocument(key));
  assert.deepEqual(missing.map(([key, file]) => `${file}: ${key}`), []);
});

Deno.test("every sentence is used", () => {
  const isUsed = (key: string) =>
    uses.literals.has(key) || uses.patterns.some((pattern) => pattern.test(key));
  // A finding of the checks names both of its sentences by one key.
  const unused = [...keys].filter((key) =>
    !isUsed(key) && !isUsed(key.replace(/\.(found|next)$/, ""))
  );
  assert.deepEqual(unused, []);
});
