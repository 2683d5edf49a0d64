import { openAccount, requireAdmin } from "@/lib/access/scope.ts";
import {
  acceptWaiting,
  linkIdentity,
  listIdentities,
  unlinkIdentity,
} from "@/lib/people/identities/service.ts";
import { listWaiting, refuseWaiting } from "@/lib/people/identities/waiting.ts";
import type { NewAccounts } from "@/lib/base/claims.ts";
import type { Proof } from "@/lib/people/identities/schema.ts";
import { listIdentityRows } from "@/lib/people/identities/repository.ts";
import { signInExternal } from "@/lib/people/sessions/complete.ts";
import { deleteUser } from "@/lib/people/accounts/deletion.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import assert from "node:assert/strict";
import { PASSWORD, type Person } from "@/tests/support/world/cast.ts";
import { enrol } from "@/tests/support/world/factors.ts";
import { providersOf } from "@/tests/support/services/sso_browser.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const ISSUER = "https://id.example.com";
const ORIGIN = { address: "192.0.2.9", userAgent: "test" };

const proofOf = (subject: string, more: Partial<Proof> = {}): Proof => ({
  kind: "oidc",
  provider: "main",
  issuer: ISSUER,
  subject,
  profile: { username: subject, name: subject, email: `${subject}@corp.example.com` },
  claims: {},
  ...more,
});

const come = (world: World, proof: Proof, newAccounts: NewAccounts = "create") =>
  signInExternal(world.deps, proof, { newAccounts }, ORIGIN);

const account = ({ deps, people }: World, person: Person) =>
  openAccount({ deps, actor: people[person].actor }, people[person].id);

/** Creates an account from a provider, which this server still offers. */
async function external(world: World, login: string) {
  await come(world, proofOf(login));
  const deps = { ...world.deps, providers: providersOf({ main: { issuer: ISSUER } }) };
  const { id } = (await rowOf(world, login))!;
  return openAccount({ deps, actor: world.people.erin.actor }, id);
}

const rowOf = async ({ kv }: World, login: string) => (await findUserByLogin(kv, login))?.value;

const told = (key: string) => ({ name: "AppError", key });

Deno.test("the first sign-in creates an account without a password, and the next one finds it", async () => {
  await using world = await newWorld();
  await come(world, proofOf("zoe"));
  const first = await rowOf(world, "zoe");
  assert.deepEqual(
    [first?.external, first?.password, first?.admin, first?.email],
    [true, null, false, "zoe@corp.example.com"],
  );
  const profile = { username: "zoe2", name: "Zoe Z", email: "zz@corp.example.com" };
  await come(world, proofOf("zoe", { profile }));
  assert.deepEqual(
    { ...await rowOf(world, "zoe2") },
    { ...first, ...profile },
  );
  assert.equal(await rowOf(world, "zoe"), undefined);
});

Deno.test("an account is found by issuer and subject, and never by an address", async () => {
  await using world = await newWorld();
  const profile = { username: "alice", name: "Alice", email: "alice@example.com" };
  await assert.rejects(
    come(world, proofOf("x", { profile })),
    told("errors.external.email_taken"),
  );
  // The same subject of another issuer is another person.
  await come(world, proofOf("zoe"));
  const email = "other@corp.example.com";
  await come(
    world,
    proofOf("zoe", {
      issuer: "https://other.example.com",
      profile: { username: "zoe", name: "Z", email },
    }),
  );
  assert.equal((await rowOf(world, email))?.username, "zoe-2");
});

Deno.test("later claims of a provider take nothing from another account", async () => {
  await using world = await newWorld();
  await come(world, proofOf("zoe"));
  const profile = { username: "bob", name: "Zoe", email: "bob@example.com" };
  await come(world, proofOf("zoe", { profile }));
  const zoe = await rowOf(world, "zoe");
  assert.deepEqual([zoe?.username, zoe?.email], ["zoe", "zoe@corp.example.com"]);
  assert.equal((await rowOf(world, "bob"))?.id, world.people.bob.id);
});

Deno.test("Alice links a provider, signs in by it, and unlinks it; her account stays her own", async () => {
  await using world = await newWorld();
  const alice = account(world, "alice");
  await linkIdentity(alice, proofOf("a1"));
  await come(world, proofOf("a1", { profile: { username: "q", name: "Q", email: "q@q.example" } }));
  assert.equal((await rowOf(world, "alice"))?.email, "alice@example.com");
  await assert.rejects(
    linkIdentity(account(world, "bob"), proofOf("a1")),
    told("errors.external.linked_elsewhere"),
  );
  const [{ id }] = await listIdentities(alice);
  await assert.rejects(unlinkIdentity(alice, id, "wrong"), told("errors.current_password"));
  await unlinkIdentity(alice, id, PASSWORD);
  assert.deepEqual(await listIdentities(alice), []);
});

Deno.test("people with a second factor are asked for a code after a provider as well", async () => {
  await using world = await newWorld();
  await enrol(world, "alice");
  await linkIdentity(account(world, "alice"), proofOf("a1"));
  assert.equal((await come(world, proofOf("a1"))).kind, "code_needed");
});

Deno.test("the last way in is not unlinked, and of the last two one stays if both are unlinked in parallel", async () => {
  await using world = await newWorld();
  const zoe = await external(world, "zoe");
  const [only] = await listIdentities(zoe);
  await assert.rejects(unlinkIdentity(zoe, only.id), told("errors.external.last_way"));
  for (let round = 0; round < 20; round++) {
    if ((await listIdentities(zoe)).length < 2) await linkIdentity(zoe, proofOf(`more${round}`));
    const both = await listIdentities(zoe);
    const ends = await Promise.allSettled(both.map((one) => unlinkIdentity(zoe, one.id)));
    assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 1);
  }
  const closed = {
    ...world.deps,
    config: { ...world.deps.config, passwordSignIn: false },
  };
  const alice = { ...account(world, "alice"), deps: closed };
  await linkIdentity(alice, proofOf("a1"));
  const [one] = await listIdentities(alice);
  await assert.rejects(unlinkIdentity(alice, one.id, PASSWORD), told("errors.external.last_way"));
});

Deno.test("a link that no one can sign in by any more is not a way in", async () => {
  await using world = await newWorld();
  const zoe = await external(world, "zoe");
  const [main] = await listIdentities(zoe);
  for (const more of [{ provider: "gone" }, { kind: "ldap", provider: "ldap" }] as const) {
    await linkIdentity(zoe, proofOf(`z-${more.provider}`, more));
    await assert.rejects(unlinkIdentity(zoe, main.id), told("errors.external.last_way"));
  }
  for (const { id } of await listIdentities(zoe)) {
    if (id !== main.id) await unlinkIdentity(zoe, id);
  }
});

Deno.test("if an administrator must approve accounts, people wait, and are approved or not", async () => {
  await using world = await newWorld();
  const { deps, people } = world;
  const erin = requireAdmin({ deps, actor: people.erin.actor });
  await assert.rejects(come(world, proofOf("no"), "refuse"), told("errors.external.no_accounts"));
  for (const name of ["zoe", "yan", "zoe"]) {
    await assert.rejects(come(world, proofOf(name), "ask"), told("errors.external.waiting"));
  }
  const [zoe, yan] = (await listWaiting(erin)).toSorted((a, b) => a.username < b.username ? 1 : -1);
  assert.deepEqual([zoe.username, yan.username], ["zoe", "yan"]);
  await acceptWaiting(erin, zoe.id);
  await refuseWaiting(erin, yan.id);
  await come(world, proofOf("zoe"), "ask");
  await assert.rejects(come(world, proofOf("yan"), "ask"), told("errors.external.refused"));
  assert.deepEqual((await listWaiting(erin)).map(({ username }) => username), ["yan"]);
  await acceptWaiting(erin, yan.id);
  await come(world, proofOf("yan"), "ask");
});

Deno.test("two parallel first sign-ins create one account", async () => {
  await using world = await newWorld();
  for (let round = 0; round < 10; round++) {
    const proof = proofOf(`p${round}`);
    await Promise.allSettled([come(world, proof), come(world, proof)]);
    await come(world, proof);
    assert.equal(await rowOf(world, `p${round}-2`), undefined);
  }
});

Deno.test("an account that is deleted leaves no identity: the person is new again", async () => {
  await using world = await newWorld();
  await come(world, proofOf("zoe"));
  const { id } = (await rowOf(world, "zoe"))!;
  await deleteUser(openAccount({ deps: world.deps, actor: world.people.erin.actor }, id));
  assert.deepEqual(await listIdentityRows(world.kv, id), []);
  await come(world, proofOf("zoe"));
  assert.notEqual((await rowOf(world, "zoe"))?.id, id);
});
