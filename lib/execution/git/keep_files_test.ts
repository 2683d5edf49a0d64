import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./keep_files.sh", import.meta.url));

async function newStage() {
  const home = await mkdtemp(join(tmpdir(), "callboard_keep_"));
  const run = (...args: string[]) =>
    execFileSync("sh", [SCRIPT, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const outside = join(home, "outside");
  await mkdir(outside);
  return {
    outside,
    /** Creates a checkout with these empty files, and links to the folder outside. */
    async checkout(name: string, files: string[], links: string[] = []) {
      const root = join(home, name);
      for (const path of files.concat(links)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
      }
      for (const path of files) await writeFile(join(root, path), "");
      for (const path of links) await symlink(outside, join(root, path));
      return root;
    },
    pack: (root: string, ...paths: string[]) => run("pack", root, "100", ...paths),
    async unpack(root: string, archive: Uint8Array, ...paths: string[]) {
      const file = join(home, "archive");
      await writeFile(file, archive);
      run("unpack", root, file, ...paths);
      return (await readdir(root, { recursive: true })).toSorted();
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  };
}

Deno.test("files come back, whatever their names are", async () => {
  await using stage = await newStage();
  const names = ["-rf/--all", "a b/\u00fc\nnew", "plain"];
  const paths = ["-rf", "a b/\u00fc\nnew", "plain", "missing/too"];
  const archive = stage.pack(await stage.checkout("first", names), ...paths);
  const next = await stage.checkout("next", ["site.yml"]);
  assert.deepEqual(await stage.unpack(next, archive, ...paths), [
    ...["-rf", "a b", ...names, "site.yml"].toSorted(),
  ]);
});

Deno.test("nothing is put back through links of a later commit", async () => {
  await using stage = await newStage();
  const first = await stage.checkout("first", ["kept/db", "kept/sub/db", "before/db"]);
  const archive = stage.pack(first, "kept", "before");

  const inside = await stage.checkout("inside", ["kept/readme"], ["kept/sub", "before"]);
  const found = await stage.unpack(inside, archive, "kept");
  assert.deepEqual(found, ["before", "kept", "kept/db", "kept/readme", "kept/sub"]);
  const link = await stage.checkout("link", ["site.yml"], ["kept"]);
  for (const path of ["kept", "kept/sub/db"]) {
    await assert.rejects(stage.unpack(link, archive, path), /is a link, or behind one/);
  }
  assert.deepEqual(await readdir(stage.outside), []);
});

Deno.test("files that cannot be kept are an error, and those that are gone are not", async () => {
  await using stage = await newStage();
  const root = await stage.checkout("play", ["kept/db", "hidden/db"], ["link"]);
  assert.throws(() => stage.pack(root, "kept", "link"), /link is a link, or behind one/);
  assert.throws(() => stage.pack(root, "link/db"), /is a link, or behind one/);
  assert.equal(stage.pack(root, "gone").length, 0);
  if (Deno.uid() === 0) return; // An administrator can read all.
  await chmod(join(root, "hidden"), 0);
  assert.throws(() => stage.pack(root, "kept", "hidden"), /Permission denied/);
  await chmod(join(root, "hidden"), 0o700);
});
