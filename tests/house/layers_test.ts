import assert from "node:assert/strict";
import { findPure, runTimeImports } from "@/tests/support/house/pure_files.ts";
import { readModule, readSources, type Sources } from "@/tests/support/house/sources.ts";

/**
 * Modules of the product that a file may import at run time, besides pure files (below) and those
 * that its floor allows. The first row whose pattern matches a file applies. ARCHITECTURE.md
 * explains this to people.
 */
const IMPORTS: [files: RegExp, mayImport: RegExp[]][] = [
  [/^lib\/fresh\//, [/^lib\/fresh\//]],
  // Routes and operations import only use cases of most rooms: see use_cases_test.ts.
  [/^routes\//, [/^(components|islands|routes|lib)\//]],
  [/^(islands|components)\//, [
    /^(islands|components)\//,
    /^lib\/(i18n|client)\//,
    /\/schema\.ts$/,
  ]],
  // Scripts of the browser import only pure files of the server.
  [/^lib\/client\//, [/^lib\/(i18n|client)\//, /\/schema\.ts$/]],
  [/^lib\/(.+\/)?schema\.ts$/, [/\/schema\.ts$/]],
  [/^lib\/.+\/repository\.ts$/, [/^lib\/(store|base|model)\//, /\/schema\.ts$/]],
  [/^lib\//, [/^lib\//, /^locales\//]],
  [/^(main|fresh\.config)\.ts$/, [
    /^(lib\/|routes\/\(_pages\)\/apps\.ts|fresh\.config\.ts|deno\.json)/,
  ]],
  [/^scripts\//, [/^(?!tests\/|tools\/)/]],
  [/^(tests|tools)\//, [/./]],
];

/**
 * Returns the imports that no row of the table allows, and the schemas that do more than compute.
 */
function breaches(sources: Sources): string[] {
  const imports = runTimeImports(sources);
  const pure = findPure(sources, imports);
  const wrong: string[] = [];
  for (const [file, its] of imports) {
    const row = IMPORTS.find(([files]) => files.test(file));
    assert.ok(row, `${file} belongs to no layer: give it a row in IMPORTS`);
    for (const { specifier, to } of its) {
      const isPackage = !/^(\.|@\/)/.test(specifier);
      if (isPackage || pure.has(to) || row[1].some((allowed) => allowed.test(to))) continue;
      wrong.push(`${file}: may not import ${to}`);
    }
    if (/^lib\/.+\/schema\.ts$/.test(file) && !pure.has(file)) {
      wrong.push(`${file}: ships to browsers, and needs more than zod to run`);
    }
  }
  return wrong;
}

Deno.test("each file imports only what its layer may, and schemas only compute", async () => {
  const sources = await readSources();
  assert.ok(sources.size > 500, `${sources.size} files`);
  assert.deepEqual(breaches(sources), []);
});

/**
 * Returns the files with zod that a browser would load, each with its importers up to an island.
 * All of zod is four times as large as everything else that a page loads.
 */
function zodInBrowsers(sources: Sources): string[] {
  const islands = [...sources.keys()].filter((file) => file.startsWith("islands/"));
  const ways = new Map(islands.map((file) => [file, file]));
  const found: string[] = [];
  for (const [file, way] of ways) {
    for (const { specifier, to, isType } of readModule(file, sources.get(file)!).imports) {
      if (isType) continue;
      if (specifier === "zod") found.push(way);
      if (sources.has(to) && !ways.has(to)) ways.set(to, `${to} < ${way}`);
    }
  }
  return found;
}

Deno.test("browsers load no zod", async () => {
  assert.deepEqual(zodInBrowsers(await readSources()), []);
  const madeUp = new Map([
    ["islands/Log.tsx", 'import { a } from "@/components/Rows.tsx";'],
    ["components/Rows.tsx", 'import type { b } from "@/lib/a.ts"; import { c } from "@/lib/c.ts";'],
    ["components/Page.tsx", 'import { a } from "@/lib/a.ts";'],
    ["lib/a.ts", 'import * as z from "zod";'],
    ["lib/c.ts", 'import * as z from "zod";'],
  ]);
  assert.deepEqual(zodInBrowsers(madeUp), ["lib/c.ts < components/Rows.tsx < islands/Log.tsx"]);
});

Deno.test("the server does not load what renders signals again", async () => {
  const loads = (text: string) => /from "@preact\/signals"|import "@preact\/signals"/.test(text);
  assert.ok(loads('import { signal } from "@preact/signals";'));
  assert.ok(!loads('import { signal } from "@preact/signals-core";'));
  const sources = await readSources(/^(lib|routes|islands|components)\//);
  const found = [...sources].filter(([, text]) => loads(text)).map(([file]) => file);
  assert.deepEqual(found, ["lib/fresh/client.ts"]);
});

/** Libraries of React. On the server, they would load React itself. */
const REACT_LIBRARIES = ["downshift"];

/** Returns the files that load a library of React when they are loaded. */
function loadersOfReact(sources: Sources): string[] {
  const found = new Set(REACT_LIBRARIES);
  const files = [...sources].map(([file, text]) => ({ file, ...readModule(file, text) }));
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { file, imports } of files) {
      const loads = imports.some(({ specifier, to, isType, isLater }) =>
        !isType && !isLater && (found.has(to) || REACT_LIBRARIES.includes(specifier))
      );
      if (loads) found.add(file);
    }
  }
  return [...found];
}

Deno.test("islands and hooks import React's API from react, and pages load libraries of React later", async () => {
  const sources = await readSources(/^(components|islands|lib|routes)\/.*(?<!_test)\.tsx?$/);
  const importsPreact = (file: string, text: string) =>
    readModule(file, text).imports.some(({ specifier }) =>
      specifier === "preact/hooks" ||
      (specifier === "preact" && /^(islands|lib\/client)\//.test(file))
    );
  const preacts = [...sources].filter(([file, text]) =>
    !file.startsWith("lib/fresh/") && importsPreact(file, text)
  );
  assert.deepEqual(preacts.map(([file]) => file), []);
  assert.ok(importsPreact("components/A.tsx", 'import { useState } from "preact/hooks";'));

  const loaders = loadersOfReact(sources);
  assert.ok(loaders.includes("components/palette/PaletteRows.tsx"), "through another file");
  assert.deepEqual(loaders.filter((file) => /^(islands|routes)\//.test(file)), []);
});

Deno.test("allowed imports of a layer are distinguished from others", () => {
  const store = "lib/store/store.ts";
  const others = {
    [store]: "export const store = () => Deno.openKv();",
    "lib/base/names.ts": "export const names = 1;",
    "lib/keys/schema.ts": 'import * as z from "zod";\nexport const schema = z.int();',
    "lib/keys/service.ts": 'import { store } from "../store/store.ts";',
  };
  const breachesOf = (file: string, text: string) =>
    breaches(new Map(Object.entries({ ...others, [file]: text })));
  const importing = (path: string, what = "") => `import ${what} { a } from "@/${path}";`;
  const cases: [file: string, allowed: string, refused: string][] = [
    ["routes/keys.tsx", "lib/keys/service.ts", "scripts/keys.ts"],
    ["islands/Keys.tsx", "lib/keys/schema.ts", "lib/keys/service.ts"],
    ["components/Keys.tsx", "islands/Log.tsx", store],
    ["lib/keys/repository.ts", store, "lib/keys/service.ts"],
    ["lib/keys/delete.ts", store, "routes/keys.tsx"],
    ["lib/fresh/app.ts", "lib/fresh/mod.ts", "lib/keys/service.ts"],
    ["main.ts", "lib/keys/service.ts", "routes/keys.tsx"],
    ["islands/Log.tsx", "lib/base/names.ts", store],
  ];
  for (const [file, allowed, refused] of cases) {
    assert.deepEqual(breachesOf(file, importing(allowed)), [], `${file} ${allowed}`);
    assert.deepEqual(breachesOf(file, importing(refused, "type")), [], `${file} ${refused}`);
    const wrong = [`${file}: may not import ${refused}`];
    assert.deepEqual(breachesOf(file, importing(refused)), wrong);
    assert.deepEqual(breachesOf(file, `const a = await import("@/${refused}");`), wrong);
  }
  const isImpure = ["lib/tasks/schema.ts: ships to browsers, and needs more than zod to run"];
  for (const text of ['import a from "preact";', "export const a = Deno.pid;"]) {
    assert.deepEqual(breachesOf("lib/tasks/schema.ts", text), isImpure);
  }
  assert.deepEqual(breachesOf("lib/tasks/schema.ts", importing("lib/base/names.ts")), []);
  assert.deepEqual(breachesOf("lib/keys/a_test.ts", importing("routes/keys.tsx")), []);
  assert.throws(() => breachesOf("plugins/a.ts", ""), /belongs to no layer/);
});
