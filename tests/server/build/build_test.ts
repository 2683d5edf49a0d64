import assert from "node:assert/strict";
import { cp, readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { hashSources } from "@/scripts/build.ts";
import { copyProject } from "@/tests/support/basics/copy_project.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

/** Copies the project's sources to another folder, as on another server. */
async function newCopy() {
  // On the same disk, so that packages are linked: a build names their paths.
  const dir = join(ROOT, "data");
  await Deno.mkdir(dir, { recursive: true });
  const path = await Deno.makeTempDir({ dir, prefix: "callboard_build_" });
  await copyProject(path);
  await linkPackages(path);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Links all packages, except for the lock that each process of Deno makes and removes. */
async function linkPackages(to: string): Promise<void> {
  const args = ["-al", join(ROOT, "node_modules"), to];
  const { stderr } = await new Deno.Command("cp", { args }).output();
  const problems = new TextDecoder().decode(stderr).split("\n").filter(Boolean);
  assert.deepEqual(problems.filter((line) => !line.includes("/.deno.lock")), []);
}

async function build(root: string): Promise<Record<string, string>> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "build"],
    cwd: root,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return await readBuild(root);
}

/** Returns the paths and contents of the out folder, without the commit, which is noted beside. */
async function readBuild(root: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const entries = await readdir(join(root, "_fresh"), { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    if (name === "commit") continue;
    const path = join(parentPath, name);
    files[relative(root, path)] = await Deno.readTextFile(path);
  }
  return files;
}

Deno.test("the same sources make the same build everywhere, and nothing of an older one stays", async () => {
  // The build that the tests serve is of the same sources, and was made in another folder.
  const built = await readBuild(ROOT);
  await using there = await newCopy();
  const generated = join(there.path, "_generated");
  await cp(join(ROOT, "_generated"), generated, { recursive: true });
  assert.equal(await hashSources(there.path), built["_fresh/sources"]);
  const changed = join(there.path, "islands/PasskeyButton.tsx");
  const source = await Deno.readTextFile(changed);
  await Deno.writeTextFile(changed, `${source}\n// more\n`);
  const older = await hashSources(there.path);
  assert.notEqual(older, built["_fresh/sources"]);

  // This stands for a build of the older sources, which would take ten seconds of CPU.
  await Deno.mkdir(join(there.path, "_fresh/static"), { recursive: true });
  await Deno.writeTextFile(join(there.path, "_fresh/static/left.js"), "");
  await Deno.writeTextFile(join(there.path, "_fresh/sources"), older);
  await Deno.writeTextFile(changed, source);
  await Deno.remove(generated, { recursive: true });
  const [one, other] = await Promise.all([build(there.path), build(there.path)]);
  assert.deepEqual(one, built);
  assert.deepEqual(other, built);

  const compiled = join(there.path, "lib/execution/ansible/callback/__pycache__");
  await Deno.mkdir(compiled, { recursive: true });
  await Deno.writeTextFile(join(compiled, "later.pyc"), "");
  const { mtime } = await Deno.stat(join(there.path, "_fresh/server.js"));
  await build(there.path);
  assert.deepEqual((await Deno.stat(join(there.path, "_fresh/server.js"))).mtime, mtime);
});

const SCRIPTS_BYTES_MAX = 60_000;
const SCRIPTS_MAX = 5;

/** Adds a script, and all scripts that are loaded before it runs, to those that are known. */
async function addScripts(known: Set<string>, file: string): Promise<void> {
  const name = basename(file);
  if (known.has(name)) return;
  known.add(name);
  const text = await Deno.readTextFile(join(ROOT, "_fresh/static", name));
  for (const [, from] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    await addScripts(known, from);
  }
}

Deno.test("the scripts of a page are at most 5 files, with 60 kB when they are compressed", async () => {
  const manifest = JSON.parse(await Deno.readTextFile(join(ROOT, "_fresh/manifest.json")));
  const files = new Map<string, string>(
    manifest.islands.map(({ path, file }: { path: string; file: string }) => [path, file]),
  );
  // Every page loads it, once it is shown.
  const later = Object.keys(manifest.files).find((path) => /\/start-\w+\.js$/.test(path))!;
  const frame = ["islands/LivePage.tsx", "islands/Palette.tsx"].map((path) => files.get(path)!);
  const pages = [...files.keys()].map((path) => [path]);
  for (const islands of [...pages, ["islands/TaskHeader.tsx", "islands/TaskLog.tsx"]]) {
    const scripts = new Set<string>();
    const loaded = [
      manifest.clientEntry,
      later,
      ...frame,
      ...islands.map((path) => files.get(path)),
    ];
    for (const file of loaded) await addScripts(scripts, file);
    let size = 0;
    for (const name of scripts) {
      size += gzipSync(await Deno.readFile(join(ROOT, "_fresh/static", name))).length;
    }
    assert.ok(scripts.size <= SCRIPTS_MAX, `${[...scripts]} with ${islands}`);
    assert.ok(size <= SCRIPTS_BYTES_MAX, `${size} bytes with ${islands}`);
  }
});
