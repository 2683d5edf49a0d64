import assert from "node:assert/strict";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { walk } from "./support/walk.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * The floors of a folder, from the ground up. A room imports rooms of the floors below it, types
 * too, and none of its own floor; files outside of any room are the room ".". `lib/fresh/` stands
 * beside the house.
 */
const FLOORS: Record<string, string[][]> = {
  "lib": [
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
  ],
  // Another kind of run would be a room beside ansible/.
  "lib/execution": [["process", "log"], ["run"], ["ssh"], ["git"], ["ansible"], ["."]],
};

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

/** The room of `folder` that a file lies in; null for a file elsewhere. */
const roomOf = (folder: string, file: string) =>
  file.startsWith(`${folder}/`)
    ? /^([^/]+)\//.exec(file.slice(folder.length + 1))?.[1] ?? "."
    : null;

Deno.test("rooms import only rooms of lower floors", async () => {
  const wrong: string[] = [];
  for (const { file, name } of await listImports()) {
    for (const [folder, floors] of Object.entries(FLOORS)) {
      const [from, to] = [roomOf(folder, file), roomOf(folder, name)];
      if (!from || !to || from === to || isTest(file) || to === "fresh") continue;
      const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room));
      assert.notEqual(floorOf(from), -1, `${file}: ${folder}/${from} is on no floor: see FLOORS`);
      if (floorOf(to) >= floorOf(from)) wrong.push(`${file}: may not climb to ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});

type Graph = Map<string, Set<string>>;

/** The files of circles, and between two: what is left when all that leads nowhere is taken away. */
function filesInCircles(graph: Graph): string[] {
  const left = new Map(graph);
  let before: number;
  do {
    before = left.size;
    for (const [file, names] of left) {
      if (![...names].some((name) => left.has(name))) left.delete(file);
    }
    const used = new Set([...left.values()].flatMap((names) => [...names]));
    for (const file of left.keys()) if (!used.has(file)) left.delete(file);
  } while (left.size < before);
  return [...left.keys()].toSorted();
}

Deno.test("a made-up circle is found, and what leads to it or from it is none", () => {
  const graph = (...edges: string[]): Graph =>
    new Map(edges.map((edge) => {
      const [from, to] = edge.split(">");
      return [from, new Set(to.split(""))];
    }));
  assert.deepEqual(filesInCircles(graph("a>b", "b>c", "c>d", "e>ab")), []);
  assert.deepEqual(filesInCircles(graph("a>b", "b>c", "c>bd", "d>e", "e>f")), ["b", "c"]);
  assert.deepEqual(filesInCircles(graph("a>a")), ["a"]);
});

Deno.test("no file imports itself in the end, types too", async () => {
  const graph: Graph = new Map();
  for (const { file, name } of await listImports()) {
    graph.set(file, (graph.get(file) ?? new Set()).add(name));
  }
  assert.deepEqual(filesInCircles(graph), []);
});

/** Whose work it is to hand on what is secret: all others only pass it along. */
const READS_SECRETS = [
  "lib/base/secret.ts",
  // To a process, a file of a run's own, and the mask.
  "lib/execution/process/variables.ts",
  "lib/execution/process/task_directory.ts",
  "lib/execution/log/run_log.ts",
  // To take it apart; what comes out is secret again, or is a folder's path.
  "lib/execution/ansible/environment.ts",
  "lib/execution/git/address.ts",
  "lib/parts/keys/secret.ts",
  "lib/parts/repositories/sealed_url.ts",
  "lib/queue/plan_variables.ts",
  // To compare, to answer, and to take over.
  "lib/people/sessions/known_devices.ts",
  "lib/triggers/webhooks/deliveries.ts",
  "lib/triggers/webhooks/run.ts",
  "lib/upkeep/semaphore/sqlite.ts",
];

/** The files of the product that hold what `pattern` finds. */
async function filesWith(pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  for await (const file of walk(ROOT, /^(lib|routes|components|islands)\/.*\.tsx?$|^main\.ts$/)) {
    if (isTest(file) || file.startsWith("lib/fresh/")) continue;
    if (pattern.test(await Deno.readTextFile(join(ROOT, file)))) found.push(file);
  }
  return found.toSorted();
}

Deno.test("secrets are read only where they are handed on", async () => {
  const readers = await filesWith(
    /import \{[^}]*\breveal\b[^}]*\} from "[^"]*secret\.ts"|const reveal =/,
  );
  assert.deepEqual(readers, READS_SECRETS.toSorted());
});

Deno.test("processes are started in two places: with a supervisor, and for the server itself", async () => {
  assert.deepEqual(await filesWith(/\bDeno\.Command\b/), [
    "lib/execution/process/shell.ts",
    "lib/execution/process/supervise.ts",
  ]);
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
