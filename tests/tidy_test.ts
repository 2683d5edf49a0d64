import assert from "node:assert/strict";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { walk } from "./support/walk.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * What a file may import of the product at run time, besides pure files (below); `import type`
 * leaves nothing behind and is free. The first row whose pattern fits a file counts.
 * ARCHITECTURE.md shows this table to people.
 */
const IMPORTS: [files: RegExp, mayImport: RegExp[]][] = [
  [/^lib\/fresh\//, [/^lib\/fresh\//]],
  [/^routes\//, [
    /^(components|islands|routes)\//,
    /^lib\/(deps|errors)\.ts$/,
    /^lib\/(http|i18n)\//,
    /\/(schema|service|operations|page)\.ts$/,
    // Answers that go on after the route has returned.
    /^lib\/(tasks\/stream|live\/socket)\.ts$/,
    // Its one place: the middleware around all routes.
    /^lib\/access\/authenticate\.ts$/,
  ]],
  [/^(islands|components)\//, [/^(islands|components)\//, /^lib\/i18n\//, /\/schema\.ts$/]],
  [/^lib\/[^/]+\/schema\.ts$/, [/\/schema\.ts$/]],
  [/^lib\/[^/]+\/operations\.ts$/, [/\/schema\.ts$/, /^lib\/http\/(operation|paged)\.ts$/]],
  [/^lib\/[^/]+\/repository\.ts$/, [/^lib\/kv\//, /^lib\/errors\.ts$/, /\/schema\.ts$/]],
  [/^lib\//, [/^lib\//, /^locales\//]],
  [/^(main|fresh\.config)\.ts$/, [/^(lib\/|fresh\.config\.ts|deno\.json)/]],
  [/^(scripts|tests)\//, [/./]],
];

const IMPORT = /^\s*(?:import|export)\s+(?!type\b)(?:[^"'`;]*?\bfrom\s*)?["']([^"']+)["']/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*["']([^"']+)["']/g;

interface Imported {
  file: string;
  /** A path below the root, or a package. */
  name: string;
  isPackage: boolean;
}

async function listImports(): Promise<Imported[]> {
  const found: Imported[] = [];
  for await (const file of walk(ROOT, /\.tsx?$/)) {
    const text = await Deno.readTextFile(join(ROOT, file));
    for (const [, specifier] of [...text.matchAll(IMPORT), ...text.matchAll(DYNAMIC_IMPORT)]) {
      found.push({ file, ...resolveImport(file, specifier) });
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
  const imports = (await listImports()).filter(({ file }) => !/_test\.tsx?$/.test(file));
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

/** A schema ships to browsers, and holds nothing but shapes. */
const mayUsePackage = (file: string, name: string) =>
  !/^lib\/[^/]+\/schema\.ts$/.test(file) || name === "zod";

Deno.test("what waits for several things, or ends with others, uses what keeps nothing of it", async () => {
  const wrong: string[] = [];
  for await (const file of walk(ROOT, /^(lib|routes)\/.*\.tsx?$/)) {
    if (/^lib\/background\/|^lib\/kv\/watch\.ts$|_test\.tsx?$/.test(file)) continue;
    const text = await Deno.readTextFile(join(ROOT, file));
    const found = text.match(/Promise\.race\(|AbortSignal\.any\(|"abort"|\.watch[<(]/g) ?? [];
    wrong.push(...found.map((use) => `${file}: ${use} (see lib/background, lib/kv/watch.ts)`));
  }
  assert.deepEqual(wrong, []);
});

Deno.test("schemas, which ship to browsers, only compute", async () => {
  const imports = await listImports();
  const pure = await findPure(imports.filter(({ file }) => !/_test\.tsx?$/.test(file)));
  const wrong: string[] = [];
  for await (const file of walk(ROOT, /^lib\/[^/]+\/schema\.ts$/)) {
    if (!pure.has(file)) wrong.push(`${file} needs more than zod to run`);
  }
  assert.deepEqual(wrong, []);
});
