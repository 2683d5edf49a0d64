import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { deletePrefix } from "../delete_prefix.ts";
import { openStore } from "./open_store.ts";
import { compactStore, isMuchFree } from "./store_file.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Creates a data folder with a store of `rows` rows, from which twice as many others were deleted.
 */
async function usedStore(rows: number) {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_compact_" });
  const path = join(dataDir, "callboard.kv");
  // Opened by Deno alone, so with Deno's own index.
  const kv = await openStore(path);
  const value = "x".repeat(2_000);
  for (let n = 0; n < rows; n += 100) {
    const op = kv.atomic();
    for (let at = n; at < n + 100; at++) {
      op.set(["stays", at], { at, value }).set(["goes", at], value).set(["goes too", at], value);
    }
    await op.commit();
  }
  await deletePrefix(kv, ["goes"]);
  await deletePrefix(kv, ["goes too"]);
  kv.close();
  const dispose = () => Deno.remove(dataDir, { recursive: true });
  return { dataDir, path, [Symbol.asyncDispose]: dispose };
}

async function countOf(path: string): Promise<number> {
  using kv = await openStore(path);
  let count = 0;
  for await (const { key, value } of kv.list<{ at: number }>({ prefix: ["stays"] })) {
    assert.equal(value.at, key[1]);
    count++;
  }
  return count;
}

/** Kills the process unless it has just ended. */
function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

Deno.test("compacting keeps the rows and shrinks the file to their size", async () => {
  await using store = await usedStore(2_000);
  const { before, after } = await compactStore(store.path);
  assert.ok(after < before / 2, `${before} -> ${after}`);
  assert.ok((await Deno.stat(store.path)).size <= after);
  assert.equal(await countOf(store.path), 2_000);
  // At a start, less than 64 MB is not worth compacting.
  assert.equal(isMuchFree(store.path), false);
  assert.equal(isMuchFree(`${store.path}.missing`), false);
});

Deno.test("killing a compaction at any moment loses nothing", async () => {
  await using store = await usedStore(3_000);
  const { dataDir: CALLBOARD_DATA, path } = store;
  let killed = 0;
  for (let waitMs = 100; waitMs < 1_500; waitMs += 200) {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "scripts/compact.ts"],
      cwd: ROOT,
      env: { CALLBOARD_DATA },
      stdout: "null",
      stderr: "null",
    }).spawn();
    const timer = setTimeout(() => kill(child), waitMs);
    if (!(await child.status).success) killed++;
    clearTimeout(timer);
    assert.equal(await countOf(path), 3_000);
    using database = new DatabaseSync(path);
    assert.equal(database.prepare("PRAGMA integrity_check").get()!.integrity_check, "ok");
  }
  assert.ok(killed > 0);
});

Deno.test("rows still expire with the slim index, and a new store has it", async () => {
  const dir = await Deno.makeTempDir({ prefix: "callboard_expiry_" });
  const path = join(dir, "callboard.kv");
  try {
    const first = await openStore(path);
    await first.set(["stays"], true);
    await first.set(["goes"], true, { expireIn: 10 });
    first.close();
    using database = new DatabaseSync(path);
    const read = (sql: string) => Object.values(database.prepare(sql).get()!).join();
    assert.match(read("SELECT sql FROM sqlite_master WHERE name LIKE '%expiration%'"), /WHERE/);
    for (
      const query of [
        "DELETE FROM kv WHERE expiration_ms >= 0 AND expiration_ms <= 1 RETURNING k",
        "SELECT expiration_ms FROM kv WHERE expiration_ms >= 0 ORDER BY expiration_ms LIMIT 1",
      ]
    ) assert.match(read(`EXPLAIN QUERY PLAN ${query}`), /kv_expiration_ms_idx/);
    // Deno looks for expired rows soon after it has opened a file.
    using kv = await openStore(path);
    const end = performance.now() + 30_000;
    while ((await kv.get(["goes"])).value && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.equal((await kv.get(["goes"])).value, null);
    assert.equal((await kv.get(["stays"])).value, true);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
