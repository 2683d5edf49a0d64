import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { ROOT } from "@/tests/support/basics/walk.ts";

const BUNDLE = join(ROOT, "_fresh/server");

/** Runs a command of the bundle as packages do, without deno.json and npm packages. */
const run = (command: string, ...args: string[]) => runWith(["-A"], command, ...args);

async function runWith(permissions: string[], command: string, ...args: string[]) {
  const data = await Deno.makeTempDir({ prefix: "callboard_bundle_" });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-config", "--no-remote", "--no-npm", "--no-prompt", "--unstable-kv"],
      ...permissions,
      ...[join(BUNDLE, `${command}.js`), ...args],
    ],
    env: { CALLBOARD_DATA: data, NO_COLOR: "1" },
    cwd: data,
  }).output();
  await Deno.remove(data, { recursive: true });
  return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("commands of the bundle need neither deno.json nor npm packages", async () => {
  const { code, said } = await run("user", "add", "--login", "eve", "--name", "Eve", "--email");
  assert.equal(code, 1, said);
  const added = await run(
    ...["user", "add", "--login", "eve", "--name", "Eve", "--email", "eve@example.org"] as const,
    ...["--password", "a long password", "--admin"],
  );
  assert.equal(added.code, 0, added.said);
});

Deno.test("stacks of the bundle name the sources", async () => {
  const { code, said } = await runWith(["-A", "--deny-env"], "user", "list");
  assert.equal(code, 1);
  assert.match(said, /scripts\/user\.ts:\d+:\d+/);
  assert.doesNotMatch(said, /_fresh/);
});

Deno.test("modules that are imported later, and workers, are found by the bundle only", async () => {
  const names = new Set(await readdir(BUNDLE));
  for (const name of names) {
    if (!name.endsWith(".js")) continue;
    const text = await Deno.readTextFile(join(BUNDLE, name));
    // Deno would read at the start what it finds there.
    assert.doesNotMatch(text, /\bimport\(["'`]\.?\.?\//, name);
    for (const [, script] of text.matchAll(/new URL\("\.\/(\w+\.js)",import\.meta\.url\)/g)) {
      assert.ok(names.has(script!), `${name}: ${script}`);
    }
  }
  assert.ok(names.has("bcrypt_worker.js") && names.has("compact.js"));
});

/** Packages that most servers never use, and the languages of zod's own messages. */
const RARE =
  /node_modules\/(@simplewebauthn\/server|ldapts|nodemailer|re2js|unhomoglyph|@dagrejs|yaml\/|zod\/v4\/locales\/(?!en\.))/;

Deno.test("scripts are ASCII, which V8 stores in one byte per character", async () => {
  for (const name of await readdir(BUNDLE)) {
    if (!name.endsWith(".js")) continue;
    const text = await Deno.readTextFile(join(BUNDLE, name));
    assert.doesNotMatch(text, /[^\0-\x7f]/, name);
  }
});

Deno.test("a start and the API load few scripts, and no packages that few servers use", async () => {
  const sources = new Map<string, string[]>();
  for (const name of await readdir(BUNDLE)) {
    if (!name.endsWith(".map")) continue;
    const map = JSON.parse(await Deno.readTextFile(join(BUNDLE, name)));
    sources.set(name.replace(".map", ""), map.sources.map(decodeURIComponent));
  }
  const withSource = (path: string) =>
    [...sources].find(([, paths]) => paths.includes(relative(BUNDLE, join(ROOT, path))))![0];
  const atStart = await loadedBy("serve.js", withSource("main.ts"), withSource("_fresh/server.js"));
  assert.ok(atStart.size <= 10, [...atStart].join());
  const loaded = await loadedBy(...atStart, withSource("routes/api/[...path].ts"));
  const rare = [...loaded].flatMap((name) => sources.get(name) ?? [])
    .filter((path) => RARE.test(path));
  assert.deepEqual(rare, []);
});

/** Returns the named scripts and those that they import at once. */
async function loadedBy(...names: string[]): Promise<Set<string>> {
  const loaded = new Set(names);
  for (const name of loaded) {
    const text = await Deno.readTextFile(join(BUNDLE, name));
    for (const [, to] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) loaded.add(to!);
  }
  return loaded;
}
