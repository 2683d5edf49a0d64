import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "./open_store.ts";

const STEPS = 150;

/**
 * Increments a number together with another process. Each step requires the number that was read.
 */
const COUNT = `
import { openStore } from ${JSON.stringify(import.meta.resolve("./open_store.ts"))};
const kv = await openStore(Deno.args[0]);
for (let made = 0; made < ${STEPS};) {
  const last = await kv.get(["count"]);
  const op = kv.atomic().check(last).set(["count"], (last.value ?? 0) + 1);
  if ((await op.commit()).ok) made++;
}
kv.close();
`;

Deno.test("processes that write one file at the same time wait for each other and lose nothing", async () => {
  const dir = await Deno.makeTempDir({ prefix: "callboard_store_" });
  const path = join(dir, "callboard.kv");
  const program = join(dir, "count.ts");
  await Deno.writeTextFile(program, COUNT);
  const kv = await openStore(path);
  const ended = await Promise.all([1, 2, 3].map(() =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--unstable-kv", "--config", "deno.json", program, path],
      stdout: "null",
      stderr: "piped",
    }).output()
  ));
  for (const { code, stderr } of ended) assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.equal((await kv.get(["count"])).value, 3 * STEPS);
  kv.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("errors other than a locked file are thrown", async () => {
  const kv = await openStore(":memory:");
  const op = kv.atomic().set(["closed"], 1);
  kv.close();
  await assert.rejects(() => op.commit(), Deno.errors.BadResource);
});

Deno.test("a file accepts no more checks in a commit than KV Connect does", async () => {
  using kv = await openStore(":memory:");
  const missing = (n: number) => ({ key: ["missing", n], versionstamp: null });
  const op = kv.atomic();
  for (let n = 1; n <= 10; n++) op.check(missing(n));
  assert.throws(() => op.check(missing(11)), /exceeds the limit checks of 10/);
  assert.ok((await op.set(["made"], true).commit()).ok);
});
