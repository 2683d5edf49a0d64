import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { copyProject, ROOT } from "./support/copy_project.ts";

/** Copies the project's sources to another folder, as on another server. */
async function newCopy() {
  const path = await Deno.makeTempDir({ prefix: "callboard_build_" });
  await copyProject(path);
  await Deno.symlink(join(ROOT, "node_modules"), join(path, "node_modules"));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Builds, and returns the paths and contents of the out folder. */
async function build(root: string): Promise<Record<string, string>> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "build"],
    cwd: root,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  const files: Record<string, string> = {};
  const entries = await readdir(join(root, "_fresh"), { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name);
    files[relative(root, path)] = await Deno.readTextFile(path);
  }
  return files;
}

Deno.test("the same sources make the same build everywhere, and nothing of an older one stays", async () => {
  await using here = await newCopy();
  await using there = await newCopy();
  const built = await build(here.path);
  assert.deepEqual(await build(there.path), built);

  const left = join(here.path, "_fresh/static/left.js");
  await Deno.writeTextFile(left, "");
  const { mtime } = await Deno.stat(join(here.path, "_fresh/server.js"));
  await build(here.path);
  assert.deepEqual((await Deno.stat(join(here.path, "_fresh/server.js"))).mtime, mtime);

  await Deno.writeTextFile(join(here.path, "islands/PasskeyButton.tsx"), "\n// more\n", {
    append: true,
  });
  const changed = await build(here.path);
  assert.ok(!("_fresh/static/left.js" in changed));
  assert.notDeepEqual(changed, built);
});
