import assert from "node:assert/strict";
import { confusableDigest } from "@/lib/base/text/confusables.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import { signInExternal } from "@/lib/people/sessions/complete.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const add = (world: World, username: string, more: object = {}) =>
  world.api("erin", "POST", "/api/users", {
    ...{ username, name: "Someone", email: `${crypto.randomUUID()}@example.com`, password: "x" },
    ...more,
  });

/** Names that look like "admin" or "mike". */
const ALIKE = [
  ..."аdmin admіn ADМIN ａｄｍｉｎ αdmin ɑdmin 𝐚𝐝𝐦𝐢𝐧 admın аԁmіn Admin adrnin".split(" "),
  ..."mіke rnike МIKE".split(" "),
];
/** The same names with invisible letters. */
const UNSEEN = [
  ..."\u200b\u200c\u200d\u202e\u2066\ufeff\u115f\u3164\u2800\u00ad".split(""),
  "\u{E0061}",
].map((letter) => `adm${letter}in`);

Deno.test("names that read alike have one look, and others have not", async () => {
  for (const [a, b] of [["admin", "аdmin"], ["paypal", "pаypal"], ["user1", "userl"]]) {
    assert.equal(await confusableDigest(a), await confusableDigest(b), `${a} ${b}`);
  }
  const others = ["admin", "müller", "muller", "Иван", "иванка", "alice", "alise", "李雷", "李蕾"];
  assert.equal(new Set(await Promise.all(others.map(confusableDigest))).size, others.length);
});

Deno.test("no one gets a username that reads as someone's, by form or by the API", async () => {
  await using world = await newWorld();
  assert.equal((await add(world, "admin")).status, 201);
  for (const username of ALIKE) {
    const { status, body } = await add(world, username);
    assert.equal(status, 409, username);
    assert.ok(body.fields.username);
  }
  for (const username of UNSEEN) {
    const { status, body } = await add(world, username);
    assert.equal(status, 400, JSON.stringify(username));
    assert.match(body.fields.username, /invisible characters/);
  }
  const path = `/api/users/${world.people.bob.id}`;
  const bob = { name: "Bob", email: "bob@example.com" };
  assert.equal((await world.api("bob", "PUT", path, { ...bob, username: "аdmin" })).status, 409);
  const form = { ...bob, username: "adm\u200bin" };
  assert.match(await (await world.post("bob", "/account", form)).text(), /invisible characters/);
  assert.equal((await world.api("bob", "PUT", path, { ...bob, username: "BOB" })).status, 204);
  assert.equal((await add(world, "ｂｏｂｂｙ")).body.username, "bobby");
});

Deno.test("two who take names that read alike at the same time are one", async () => {
  await using world = await newWorld();
  for (let n = 0; n < 10; n++) {
    const both = [`pay${n}pal`, `pаy${n}pаl`].map((username) => add(world, username));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [201, 409]);
  }
});

Deno.test("a username whose owner changes it, or whose account is gone, is free in all its spellings", async () => {
  await using world = await newWorld();
  const { body } = await add(world, "admin");
  const path = `/api/users/${body.id}`;
  assert.equal((await world.api("erin", "PUT", path, { ...body, username: "other" })).status, 204);
  const second = await add(world, "аdmin");
  assert.equal(second.status, 201);
  assert.equal((await world.api("erin", "DELETE", `/api/users/${second.body.id}`)).status, 204);
  assert.equal((await add(world, "admin")).status, 201);
});

Deno.test("people of providers get names that can be seen, and that no one else has", async () => {
  await using world = await newWorld();
  await add(world, "admin");
  const looks = new Set([await confusableDigest("admin"), await confusableDigest("mike")]);
  for (const [n, username] of [...ALIKE, ...UNSEEN, "\u200b"].entries()) {
    const email = `zoe${n}@corp.example.com`;
    const proof = {
      ...{ kind: "oidc" as const, provider: "main", issuer: "https://id.example.com" },
      ...{ subject: `zoe-${n}`, claims: {} },
      profile: { username, name: `Er\u202ein`, email },
    };
    for (let times = 0; times < 2; times++) {
      await signInExternal(world.deps, proof, { newAccounts: "create" }, {
        address: "192.0.2.9",
        userAgent: "test",
      });
      const { value } = (await findUserByLogin(world.kv, email))!;
      assert.ok(
        !looks.has(await confusableDigest(value.username)),
        JSON.stringify([username, value.username]),
      );
      assert.doesNotMatch(value.username + value.name, /[\p{Default_Ignorable_Code_Point}\p{C}]/u);
      assert.equal(value.name, "Erin");
    }
    looks.add(await confusableDigest((await findUserByLogin(world.kv, email))!.value.username));
  }
});

Deno.test("a name signs in however its letters are written, and is guessed at as one", async () => {
  await using world = await newWorld();
  await add(world, "müller");
  const signIn = async (auth: string, password: string) =>
    (await world.api(null, "POST", "/api/auth/login", { auth, password })).status;
  assert.equal(await signIn("müller", "x"), 204);
  assert.equal(await signIn("ＭÜＬＬＥＲ", "x"), 204);
  for (const auth of ["bob", "ｂob", "bｏb", "boｂ", "ｂｏb"]) {
    assert.equal(await signIn(auth, "guess"), 401);
  }
  assert.equal(await signIn("ｂｏｂ", PASSWORD), 429);
});
