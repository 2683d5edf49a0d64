import assert from "node:assert/strict";
import { createSecretBox } from "../access/secret_box.ts";
import { ConfigError } from "../base/settings/settings.ts";
import { rowKeys } from "../store/keys.ts";
import { openStore } from "../store/file/open_store.ts";
import { rewriteRows } from "../store/rows/rewrite_rows.ts";
import type { Store } from "../store/store.ts";
import { FIRST_VERSION, migrate, type Migration, pendingSteps } from "./migrations.ts";

const box = await createSecretBox(new Uint8Array(32));

/** A migration that records its name when it runs. */
const step = (name: string): Migration => async (kv) => {
  const { value } = await kv.get<string[]>(["ran"]);
  await kv.set(["ran"], [...(value ?? []), name]);
};

async function ran(kv: Store): Promise<string[]> {
  return (await kv.get<string[]>(["ran"])).value ?? [];
}

Deno.test("each migration runs once, in order, and a new store needs none", async () => {
  using kv = await openStore(":memory:");
  await migrate(kv, box, []);
  await migrate(kv, box, [step("one"), step("two")]);
  await migrate(kv, box, [step("one"), step("two"), step("three")]);
  assert.deepEqual(await ran(kv), ["one", "two", "three"]);

  using fresh = await openStore(":memory:");
  await migrate(fresh, box, [step("one")]);
  assert.deepEqual(await ran(fresh), []);
});

Deno.test("a failed migration is repeated at the next start", async () => {
  using kv = await openStore(":memory:");
  await migrate(kv, box, []);
  const failing: Migration = () => Promise.reject(new Error("power cut"));
  await assert.rejects(migrate(kv, box, [step("one"), failing]), /power cut/);
  await migrate(kv, box, [step("one"), step("two")]);
  assert.deepEqual(await ran(kv), ["one", "two"]);
});

Deno.test("a store of the first version is upgraded to the current one", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.storeVersion(), FIRST_VERSION);
  const { version, steps } = await pendingSteps(kv);
  assert.equal(version, FIRST_VERSION);
  assert.ok(steps > 0);
  await migrate(kv, box);
  assert.deepEqual(await pendingSteps(kv), { version: FIRST_VERSION + steps, steps: 0 });
});

Deno.test("a store of a later version is rejected", async () => {
  using kv = await openStore(":memory:");
  await migrate(kv, box, []);
  await migrate(kv, box, [step("one")]);
  await assert.rejects(migrate(kv, box, []), /later version/);
});

Deno.test("a store from before 1.0.0 is rejected with what to do, and stays as it is", async () => {
  for (const version of [0, FIRST_VERSION - 1]) {
    using kv = await openStore(":memory:");
    await kv.set(rowKeys.storeVersion(), version);
    await kv.set(rowKeys.storeWriter(), "0.1.0+3f2a9c1d");
    const rejected = migrate(kv, box);
    await assert.rejects(rejected, ConfigError);
    await assert.rejects(
      rejected,
      /before Callboard 1\.0\.0 \(0\.1\.0\+3f2a9c1d\).*backup of each project.*empty data folder/,
    );
    assert.equal((await kv.get(rowKeys.storeVersion())).value, version);
  }
});

Deno.test("an interrupted upgrade continues after the last commit and repeats nothing", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.storeVersion(), FIRST_VERSION);
  for (let id = 1; id <= 10; id++) await kv.set(["old", id], id);
  const taken: number[] = [];
  const rewrite: Migration = (kv, course) =>
    rewriteRows<number>(kv, { prefix: ["old"], perCommit: 2 }, course, (op, { value }) => {
      taken.push(value);
      op.set(["new", value], true);
    });
  const stop = new AbortController();
  const progress = { copied: null, step: 0, steps: 2, name: "", rows: 0 };
  const steps: Migration[] = [step("one"), async (kv, course, secrets) => {
    await rewrite(kv, {
      ...course,
      count(rows) {
        course.count(rows);
        if (progress.rows === 6) stop.abort(new Error("told to end"));
      },
    }, secrets);
  }];
  await assert.rejects(
    () => migrate(kv, box, steps, { progress, stop: stop.signal }),
    /told to end/,
  );
  assert.deepEqual(progress, { copied: null, step: 2, steps: 2, name: "", rows: 6 });
  const before = taken.length;
  await migrate(kv, box, steps);
  assert.equal(taken[before], 8, "the last row of the last commit");
  assert.equal((await Array.fromAsync(kv.list({ prefix: ["new"] }))).length, 10);
  assert.deepEqual(await ran(kv), ["one"]);
  assert.equal((await kv.get(rowKeys.storeUpgrade())).value, null);
});
