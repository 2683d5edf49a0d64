import assert from "node:assert/strict";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { walk } from "./support/walk.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * The floors of `lib/`, from the ground up. A room imports rooms of the floors below it, types too,
 * and none of its own floor. `lib/fresh/` stands beside the house.
 */
const FLOORS = [
  ["base"],
  ["kv", "i18n", "execution"],
  ["access"],
  ["events", "references"],
  ["parts", "people"],
  ["tasks"],
  ["telling"],
  ["templates"],
  ["queue"],
  ["triggers"],
  ["upkeep"],
  ["web"],
];

/**
 * What a file may import of the product at run time, besides pure files (below) and what its floor
 * allows. The first row whose pattern fits a file counts. ARCHITECTURE.md shows this to people.
 */
const IMPORTS: [files: RegExp, mayImport: RegExp[]][] = [
  [/^lib\/fresh\//, [/^lib\/fresh\//]],
  [/^routes\//, [
    /^(components|islands|routes)\//,
    /^lib\/(base|web|i18n)\//,
    /\/(schema|service|operations)\.ts$/,
    // Who asks, and what they may: scopes are made in routes.
    /^lib\/access\/scope\.ts$/,
    // Use cases that have a file of their own.
    /^lib\/(queue\/(start|stop|list)|upkeep\/templates)\.ts$/,
    /\/(deletion|deliveries|open_sessions)\.ts$/,
    // Answers that go on after the route has returned.
    /^lib\/(tasks\/(stream|page)|telling\/live\/socket)\.ts$/,
    // Its one place: the middleware around all routes.
    /^lib\/(access\/authenticate|kv\/in_time)\.ts$/,
  ]],
  [/^(islands|components)\//, [/^(islands|components)\//, /^lib\/i18n\//, /\/schema\.ts$/]],
  [/^lib\/(.+\/)?schema\.ts$/, [/\/schema\.ts$/]],
  [/^lib\/.+\/operations\.ts$/, [/\/schema\.ts$/, /^lib\/access\/operation\.ts$/]],
  [/^lib\/.+\/repository\.ts$/, [/^lib\/(kv|base)\//, /\/schema\.ts$/]],
  [/^lib\//, [/^lib\//, /^locales\//]],
  [/^(main|fresh\.config)\.ts$/, [/^(lib\/|fresh\.config\.ts|deno\.json)/]],
  [/^(scripts|tests)\//, [/./]],
];

const IMPORT = /^\s*(?:import|export)\s+(type\b)?\s*(?:[^"'`;]*?\bfrom\s*)?["']([^"']+)["']/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*["']([^"']+)["']/g;

interface Imported {
  file: string;
  /** A path below the root, or a package. */
  name: string;
  isPackage: boolean;
  /** Nothing is left of it at run time. */
  isType: boolean;
}

const isTest = (file: string) => /_test\.tsx?$/.test(file);

async function listImports(): Promise<Imported[]> {
  const found: Imported[] = [];
  for await (const file of walk(ROOT, /\.tsx?$/)) {
    const text = await Deno.readTextFile(join(ROOT, file));
    for (const [, type, specifier] of text.matchAll(IMPORT)) {
      found.push({ file, ...resolveImport(file, specifier), isType: type !== undefined });
    }
    for (const [, specifier] of text.matchAll(DYNAMIC_IMPORT)) {
      found.push({ file, ...resolveImport(file, specifier), isType: false });
    }
  }
  return found;
}

function resolveImport(file: string, specifier: string) {
  if (specifier.startsWith("@/")) return { name: specifier.slice(2), isPackage: false };
  if (!specifier.startsWith(".")) return { name: specifier, isPackage: true };
  return { name: posix.join(posix.dirname(file), specifier), isPackage: false };
}

/**
 * Files that only compute: they import, at every depth, nothing but such files and zod, and touch
 * neither Deno nor Node. Safe in browsers and in every layer.
 */
async function findPure(imports: Imported[]): Promise<Set<string>> {
  const pure = new Set<string>();
  for await (const file of walk(join(ROOT, "lib"), /\.ts$/)) {
    const text = await Deno.readTextFile(join(ROOT, "lib", file));
    if (!/\bDeno\./.test(text)) pure.add(`lib/${file}`);
  }
  let before: number;
  do {
    before = pure.size;
    for (const { file, name, isPackage } of imports) {
      if (isPackage ? name !== "zod" : !pure.has(name)) pure.delete(file);
    }
  } while (pure.size < before);
  return pure;
}

Deno.test("each file imports only what its layer may", async () => {
  const imports = (await listImports()).filter(({ file, isType }) => !isType && !isTest(file));
  const pure = await findPure(imports);
  const wrong: string[] = [];
  for (const { file, name, isPackage } of imports) {
    const row = IMPORTS.find(([files]) => files.test(file));
    assert.ok(row, `${file} belongs to no layer: give it a row in IMPORTS`);
    const may = isPackage
      ? mayUsePackage(file, name)
      : row[1].some((allowed) => allowed.test(name));
    if (!may && !pure.has(name)) wrong.push(`${file}: may not import ${name}`);
  }
  assert.deepEqual(wrong, []);
});

const roomOf = (file: string) => /^lib\/([^/]+)\//.exec(file)?.[1];
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

Deno.test("rooms import only rooms of lower floors", async () => {
  const wrong: string[] = [];
  for (const { file, name } of await listImports()) {
    const [from, to] = [roomOf(file), roomOf(name)];
    if (!from || !to || from === to || isTest(file) || to === "fresh") continue;
    assert.notEqual(floorOf(from), -1, `${file}: lib/${from}/ is on no floor: see FLOORS`);
    if (floorOf(to) >= floorOf(from)) wrong.push(`${file}: may not climb to ${name}`);
  }
  assert.deepEqual(wrong, []);
});

/** A schema ships to browsers, and holds nothing but shapes. */
const mayUsePackage = (file: string, name: string) =>
  !/^lib\/.+\/schema\.ts$/.test(file) || name === "zod";

Deno.test("what waits for several things, or ends with others, uses what keeps nothing of it", async () => {
  const wrong: string[] = [];
  for await (const file of walk(ROOT, /^(lib|routes)\/.*\.tsx?$/)) {
    if (/^lib\/base\/(abort|after|merge|bell)\.ts$|^lib\/kv\/watch\.ts$|_test\.tsx?$/.test(file)) {
      continue;
    }
    const text = await Deno.readTextFile(join(ROOT, file));
    const found = text.match(/Promise\.race\(|AbortSignal\.any\(|"abort"|\.watch[<(]/g) ?? [];
    wrong.push(...found.map((use) => `${file}: ${use} (see lib/base/abort.ts, lib/kv/watch.ts)`));
  }
  assert.deepEqual(wrong, []);
});

Deno.test("schemas, which ship to browsers, only compute", async () => {
  const imports = await listImports();
  const pure = await findPure(imports.filter(({ file, isType }) => !isType && !isTest(file)));
  const wrong: string[] = [];
  for await (const file of walk(ROOT, /^lib\/.+\/schema\.ts$/)) {
    if (!pure.has(file)) wrong.push(`${file} needs more than zod to run`);
  }
  assert.deepEqual(wrong, []);
});

Deno.test("components are told apart by ids and counts: Fresh writes their keys into comments", async () => {
  const wrong: string[] = [];
  for await (const file of walk(ROOT, /^(components|islands|routes)\/.*\.tsx$/)) {
    const text = await Deno.readTextFile(join(ROOT, file));
    for (const [key, value] of text.matchAll(/\bkey=(\S+)/g)) {
      if (!/^\{(\w+\.)?(id|n|index|count)\}/.test(value)) wrong.push(`${file}: ${key}`);
    }
  }
  assert.deepEqual(wrong, []);
});
