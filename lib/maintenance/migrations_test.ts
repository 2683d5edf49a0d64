import assert from "node:assert/strict";
import { createSecretBox } from "../access/secret_box.ts";
import type { RepositoryRow } from "../resources/repositories/schema.ts";
import type { KeyRow } from "../resources/keys/schema.ts";
import { newPrivateKey } from "../resources/keys/key_pair.ts";
import { openUrl } from "../resources/repositories/sealed_url.ts";
import { rowKeys } from "../store/keys.ts";
import { listIdentityRows, setIdentity, setWaiting } from "../people/identities/repository.ts";
import { rewriteRows } from "../store/rows/rewrite_rows.ts";
import type { Store } from "../store/store.ts";
import { migrate, type Migration } from "./migrations.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { openStore } from "../store/file/open_store.ts";

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

Deno.test("a store of a later version is rejected", async () => {
  using kv = await openStore(":memory:");
  await migrate(kv, box, []);
  await migrate(kv, box, [step("one")]);
  await assert.rejects(migrate(kv, box, []), /later version/);
});

Deno.test("tokens in the URLs of repositories are sealed, once", async () => {
  using kv = await openStore(":memory:");
  await migrate(kv, box, []);
  const url = (id: number) => ["repositories", 1, id];
  await kv.set(url(1), { id: 1, git_url: "https://s3cret-token@example.com/x.git" });
  await kv.set(url(2), { id: 2, git_url: "git@example.com:x.git" });
  await migrate(kv, box);
  // Simulates an interruption before the new version was stored.
  await kv.set(rowKeys.storeVersion(), 0);
  await migrate(kv, box);
  const { value } = await kv.get<RepositoryRow>(url(1));
  assert.equal(value!.git_url, "https://***@example.com/x.git");
  assert.equal(revealed(await openUrl(box, value!)), "https://s3cret-token@example.com/x.git");
  assert.deepEqual((await kv.get(url(2))).value, { id: 2, git_url: "git@example.com:x.git" });
});

Deno.test("tasks in the store of an earlier version are counted", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.storeVersion(), 0);
  for (const [template, task] of [[1, 1], [1, 2], [2, 3]]) {
    await kv.set(rowKeys.taskByTemplate(7, template, task), true);
  }
  await migrate(kv, box);
  await kv.atomic().sum(rowKeys.taskCount(7, 1), 1n).commit();
  const counts = await Array.fromAsync(
    kv.list<Deno.KvU64>({ prefix: rowKeys.taskCounts(7) }),
    ({ key, value }) => [key[2], value.value],
  );
  assert.deepEqual(counts, [[1, 3n], [2, 1n]]);
});

Deno.test("keys in the store of an earlier version get their public half", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.storeVersion(), 0);
  const sealed = (privateKey: string) =>
    box.seal(JSON.stringify({ type: "ssh", login: "", passphrase: "", privateKey }));
  const key = { project_id: 1, name: "Deploy key", type: "ssh" };
  const pair = await sealed(newPrivateKey(""));
  await kv.set(rowKeys.resource("keys", 1, 1), { ...key, id: 1, secret: pair });
  await kv.set(rowKeys.resource("keys", 1, 2), { ...key, id: 2, secret: await sealed("odd") });
  await kv.set(rowKeys.resource("keys", 1, 3), { ...key, id: 3, secret: null });
  await migrate(kv, box);
  const publicKeyOf = async (id: number) =>
    (await kv.get<KeyRow>(rowKeys.resource("keys", 1, id))).value!.public_key;
  assert.match(await publicKeyOf(1) ?? "", /^ssh-ed25519 AAAA\S+ Deploy-key$/);
  assert.deepEqual([await publicKeyOf(2), await publicKeyOf(3)], [undefined, undefined]);
});

Deno.test("a migration does not overwrite what another server changes meanwhile", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.storeVersion(), 0);
  const secret = await box.seal(
    JSON.stringify({ type: "ssh", login: "", passphrase: "", privateKey: newPrivateKey("") }),
  );
  const at = rowKeys.resource("keys", 1, 1);
  const row = { id: 1, project_id: 1, name: "Old", type: "ssh", secret };
  await kv.set(at, row);
  const slow: typeof box = {
    ...box,
    async open(sealed) {
      await kv.set(at, { ...row, name: "New", secret: new Uint8Array(1) });
      return await box.open(sealed);
    },
  };
  await migrate(kv, slow);
  const { value } = await kv.get<KeyRow>(at);
  assert.deepEqual([value!.name, value!.secret], ["New", new Uint8Array(1)]);
});

Deno.test("people of a directory are identified by its name, not by their search DN", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.storeVersion(), 0);
  const person = { kind: "ldap", provider: "ldap", name: "", claims: {} } as const;
  const former = "ldap:ou=old,dc=example";
  const latest = "ldap:ou=people,dc=example";
  const uuid = crypto.randomUUID();
  const rows: [userId: number, issuer: string, subject: string, lastUsed: string][] = [
    [1, former, uuid, "2025-01-01"],
    [2, former, "bob", "2025-01-02"],
    [3, latest, "bob", "2026-01-01"],
    [4, latest, uuid.replaceAll("-", ""), "2026-01-02"],
    [5, "https://ldap:x=y", "ann", "2026-01-03"],
  ];
  const op = kv.atomic();
  for (const [user_id, issuer, subject, last_used] of rows) {
    setIdentity(op, { ...person, user_id, issuer, subject, last_used, created: last_used });
  }
  const profile = { username: "w", name: "w", email: "w@example.com" };
  const waits = { ...person, profile, asked: "2026-01-01", refused: true };
  setWaiting(op, { ...waits, issuer: latest, subject: "w" });
  await op.commit();
  await migrate(kv, box);
  await kv.set(rowKeys.storeVersion(), 0);
  await migrate(kv, box);
  const issuers = await Promise.all(
    rows.map(async ([id]) => (await listIdentityRows(kv, id)).map(({ issuer }) => issuer).join()),
  );
  const named = "ldap:directory";
  assert.deepEqual(issuers, [named, former, named, named, "https://ldap:x=y"]);
  assert.ok((await kv.get(rowKeys.waitingPerson(named, "w"))).value, "also who waits");
});

Deno.test("an interrupted upgrade continues after the last commit and repeats nothing", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.storeVersion(), 0);
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

Deno.test("a step that is listed twice is done once, at its last position", async () => {
  using kv = await openStore(":memory:");
  await kv.set(rowKeys.storeVersion(), 0);
  const [twice, other] = [step("twice"), step("other")];
  await migrate(kv, box, [twice, other, twice]);
  assert.deepEqual(await ran(kv), ["other", "twice"]);
});
