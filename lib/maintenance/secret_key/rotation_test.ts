import assert from "node:assert/strict";
import type { Deps } from "../../access/deps.ts";
import { createSecretBox, type SecretBox } from "../../access/secret_box.ts";
import { requireSameKey } from "../../access/same_key.ts";
import { newSecretKey, previousKeyFile, type SecretKeys } from "../../access/secret_keys.ts";
import { reveal } from "../../base/secret.ts";
import { readChunks, setChunks } from "../../store/rows/chunks.ts";
import { rowKeys } from "../../store/keys.ts";
import { openStore } from "../../store/file/open_store.ts";
import { doDue } from "../../jobs/engine.ts";
import type { JobRow } from "../../jobs/rows.ts";
import { readRotation, requirePreviousKey, rotationWorker } from "./rotation.ts";

const bytesOf = (text: string) => Uint8Array.fromBase64(text);
const open = async (box: SecretBox, sealed: Uint8Array) => reveal(await box.open(sealed), "show");

/** A store with a key of each kind of place for sealed values, and servers that share it. */
async function newStage() {
  const kv = await openStore(":memory:");
  const dataDir = await Deno.makeTempDir();
  const [previous, current] = [newSecretKey(), newSecretKey()].map(bytesOf);
  const [before, after] = await Promise.all([previous, current].map((key) => createSecretBox(key)));
  let now = Date.parse("2026-01-01T00:00:00Z");
  const clock = { now: () => new Date(now), ticks: () => now };
  const deps = { kv, clock, log() {}, config: { dataDir } } as unknown as Deps;
  await requireSameKey(kv, before);
  return {
    kv,
    before,
    after,
    previous,
    current,
    dataDir,
    pass: (ms: number) => void (now += ms),
    rotate: (stop?: AbortSignal) => doDue(deps, rotationWorker(current, previous), { stop }),
    job: async () => (await kv.get<JobRow>(rowKeys.job("secret_key", "secret_key"))).value,
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}

Deno.test("each sealed value of a store is sealed with the new key, wherever it is", async () => {
  await using stage = await newStage();
  const { kv, before, after } = stage;
  const long = "secret ".repeat(30_000);
  const names = ["member", "list", "whole", "session"];
  const [member, list, whole, session] = await Promise.all(names.map((name) => before.seal(name)));
  const plain = crypto.getRandomValues(new Uint8Array(500));
  const at = new Date("2026-01-01T00:00:00Z").toISOString();
  await kv.set(rowKeys.resource("keys", 1, 1), { id: 1, secret: member, plain, none: null });
  await kv.set(rowKeys.resource("environments", 1, 1), { secrets: [{ sealed: list, at: 1n }] });
  await kv.set(rowKeys.deliveryBody(1, 1, 1), whole);
  await kv.set(rowKeys.session("hash"), { created: at, provider: { id_token: session } });
  const op = kv.atomic();
  for (const keyOf of LONG) setChunks(op, keyOf, await before.seal(long));
  await op.commit();
  // Bytes that look like a long value, and are none.
  await kv.set(rowKeys.taskSecrets(9), new Uint8Array(60 * 1024));

  await Deno.writeTextFile(previousKeyFile(stage.dataDir), "key");
  await stage.rotate();
  assert.equal(await stage.job(), null);
  const row = async (key: Deno.KvKey) => (await kv.get(key)).value as never;
  const { secret, plain: same, ...rest } = await row(rowKeys.resource("keys", 1, 1)) as Record<
    string,
    Uint8Array
  >;
  assert.equal(await open(after, secret), "member");
  assert.deepEqual([same, rest], [plain, { id: 1, none: null }]);
  const { secrets } = await row(rowKeys.resource("environments", 1, 1)) as {
    secrets: [{ sealed: Uint8Array; at: bigint }];
  };
  assert.equal(await open(after, secrets[0].sealed), "list");
  assert.equal(secrets[0].at, 1n);
  assert.equal(await open(after, await row(rowKeys.deliveryBody(1, 1, 1))), "whole");
  const { provider } = await row(rowKeys.session("hash")) as { provider: { id_token: Uint8Array } };
  assert.equal(await open(after, provider.id_token), "session");
  for (const keyOf of LONG) {
    assert.equal(await open(after, await readChunks(kv, keyOf, 10)), long);
  }
  await requireSameKey(kv, after);
  await assert.rejects(requireSameKey(kv, before), /secret key does not match/);
  await assert.rejects(Deno.stat(previousKeyFile(stage.dataDir)), Deno.errors.NotFound);
});

/** Keys of values that take several rows. */
const LONG = [
  (n: number) => rowKeys.taskSecrets(7, n),
  (n: number) => rowKeys.workflowSecrets(1, 7, n),
];

Deno.test("a rotation that dies anywhere continues, and two servers do it together", async () => {
  await using stage = await newStage();
  const { kv, before, after } = stage;
  const keyOf = (id: number) => rowKeys.resource("keys", 1, id);
  for (let id = 1; id <= 3_000; id++) {
    await kv.set(keyOf(id), { id, secret: await before.seal(`secret ${id}`) });
  }
  const aborted = new AbortController();
  setTimeout(() => aborted.abort(), 50);
  await stage.rotate(aborted.signal);
  const { resealed, finished } = (await readRotation(kv))!;
  assert.ok(!finished && resealed > 0 && resealed < 3_000, `${resealed} rows before the end`);
  // A change by a person in the meantime is not lost.
  await kv.set(keyOf(3_000), { id: 3_000, secret: await before.seal("changed") });
  await Promise.all([stage.rotate(), stage.rotate()]);
  assert.equal((await readRotation(kv))!.finished, true);
  for (const id of [1, 1_500, 2_999]) {
    const { value } = await kv.get<{ secret: Uint8Array }>(keyOf(id));
    assert.equal(await open(after, value!.secret), `secret ${id}`);
  }
  const { value } = await kv.get<{ secret: Uint8Array }>(keyOf(3_000));
  assert.equal(await open(after, value!.secret), "changed");
});

Deno.test("a value that expires soon is left, and the previous key is needed until then", async () => {
  await using stage = await newStage();
  const { kv } = stage;
  const key = rowKeys.ssoAttempt("state");
  await kv.set(key, await stage.before.seal("attempt"), { expireIn: 600_000 });
  await stage.rotate();
  const { at, decided } = (await stage.job())!;
  assert.equal(at - decided, 600_000);
  assert.equal((await readRotation(kv))!.finished, false);
  const keys: SecretKeys = { current: stage.current, previous: null, next: null };
  await assert.rejects(requirePreviousKey(kv, keys), /has not finished/);
  await requirePreviousKey(kv, { ...keys, previous: stage.previous });
  assert.equal(await open(stage.before, (await kv.get<Uint8Array>(key)).value!), "attempt");
  await kv.delete(key);
  stage.pass(600_000);
  await stage.rotate();
  assert.equal(await stage.job(), null);
  await requirePreviousKey(kv, keys);
});
