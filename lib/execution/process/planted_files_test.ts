import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "@/tests/support/basics/until.ts";
import { keepDependencies, keepInstallation } from "../ansible/requirements/folders.ts";
import { readPinnedKeys } from "../ssh/known_hosts.ts";
import { readPlainFile } from "./files.ts";
import { withLock } from "./lock.ts";

/** A folder that runs may change, with a file of the server that they must not change. */
async function newFolders() {
  const home = await Deno.makeTempDir({ prefix: "callboard_planted_" });
  const at = (...parts: string[]) => join(home, ...parts);
  const secret = at("secret.key");
  await Deno.writeTextFile(secret, "swordfish");
  await Deno.mkdir(at("own"));
  return {
    at,
    secret,
    pipe: async (path: string) => {
      const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
      assert.ok(success);
      return path;
    },
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

Deno.test("a file of a run is read if it is a plain one that fits in memory", async () => {
  await using folders = await newFolders();
  const { at, secret, pipe } = folders;
  await Deno.writeTextFile(at("own", "plain"), "some ünicode\n");
  assert.equal(await readPlainFile(at("own", "plain")), "some ünicode\n");
  assert.equal(await readPlainFile(at("own", "missing")), null);
  assert.equal(await readPlainFile(at("own")), null);
  await Deno.symlink(secret, at("own", "link"));
  assert.equal(await readPlainFile(at("own", "link")), null);
  assert.equal(await readPlainFile(await pipe(at("own", "pipe"))), null);
  await Deno.mkdir(at("known_hosts"));
  for (const path of [at("own", "huge"), at("known_hosts", "7")]) {
    await Deno.writeTextFile(path, "");
    await Deno.truncate(path, 3_000_000_000);
  }
  assert.equal(await readPlainFile(at("own", "huge")), null);
  assert.deepEqual(await readPinnedKeys(at(), 7), []);
});

Deno.test("a lock is taken whatever a run has left in its place", async () => {
  await using folders = await newFolders();
  const { at, secret, pipe } = folders;
  const lock = at("own", "lock");
  const never = new AbortController().signal;
  const take = async () => {
    let isTaken = false;
    const taking = withLock(lock, never, () => Promise.resolve(isTaken = true));
    await until(() => isTaken, 5_000);
    await taking;
    assert.ok((await Deno.lstat(lock)).isFile);
  };
  await pipe(lock);
  await take();
  await Deno.remove(lock);
  await Deno.symlink(at("created"), lock);
  await take();
  await assert.rejects(Deno.stat(at("created")));
  await Deno.remove(lock);
  await Deno.mkdir(join(lock, "more"), { recursive: true });
  await take();
  await take();
  assert.equal(await Deno.readTextFile(secret), "swordfish");
});

Deno.test("an installation is kept without writing through the links of a run", async () => {
  await using folders = await newFolders();
  const { at, secret } = folders;
  const folder = at("own", "a".repeat(32));
  const [fresh, asked] = [`${folder}.new`, "b".repeat(32)];
  await Deno.mkdir(fresh);
  for (const path of [`${folder}.json.new`, at("own", `${asked}.dependencies.new`)]) {
    await Deno.symlink(secret, path);
  }
  await keepInstallation(fresh, folder, {
    asked,
    used: { key: "a".repeat(32), items: [], more: 0 },
  });
  await keepDependencies(at("own"), asked, [{ name: "some" }] as never);
  assert.equal(await Deno.readTextFile(secret), "swordfish");
  assert.ok((await Deno.lstat(`${folder}.json`)).isFile);
  assert.match(await Deno.readTextFile(at("own", `${asked}.dependencies`)), /some/);
});
