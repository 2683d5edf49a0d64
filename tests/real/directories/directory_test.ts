import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { createDirectory } from "@/lib/ldap/directory.ts";
import { conceal } from "@/lib/base/secret.ts";
import type { LdapSettings } from "@/lib/ldap/settings.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { newBrowser } from "@/tests/support/world/sign_in.ts";
import { groupDn, passwordOf, type Slapd, startSlapd } from "@/tests/support/programs/slapd.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

/** Creates a world that asks the directory. */
const worldOf = (slapd: Slapd, more: Partial<LdapSettings> = {}, deps: object = {}) =>
  newWorld({ deps: { directory: createDirectory(slapd.settings(more)), ...deps } });

const signIn = async (world: World, auth: string, password = passwordOf(auth), address?: string) =>
  await readAnswer(
    await world.request("/api/auth/login", {
      method: "POST",
      body: JSON.stringify({ auth, password }),
      address,
    }),
  );

const statusOf = async (...call: Parameters<typeof signIn>) => (await signIn(...call)).status;

Deno.test("people of a directory sign in with the same form, over TLS and StartTLS", async (t) => {
  await using slapd = await startSlapd();
  await slapd.addPerson("zoe");

  await t.step("an account is made of what the directory says, without a password", async () => {
    await using world = await worldOf(slapd);
    const browser = newBrowser(world);
    const form = { auth: "zoe", password: passwordOf("zoe") };
    const answer = await browser.post("/auth/login?next=%2Faccount", form);
    assert.equal(answer.headers.get("location"), "/account");
    const page = await (await browser.get("/account/security")).text();
    assert.match(page, /signed in through ldap/);
    assert.ok(!page.includes("new-passkey") && !page.includes('name="current_password"'));
    const { name, email, external, password } = (await findUserByLogin(world.kv, "zoe"))!.value;
    assert.deepEqual([name, email, external, password], [
      "zoe of the tree",
      "zoe@tree.example",
      true,
      null,
    ]);
    assert.equal(await statusOf(world, "ZOE", passwordOf("zoe")), 204, "the same account");
    assert.equal((await world.api("erin", "GET", "/api/users")).body.length, 7);
  });

  await t.step("another way to the same people leads to the same accounts", async () => {
    await using world = await worldOf(slapd);
    assert.equal(await statusOf(world, "zoe"), 204);
    const { value: before } = (await findUserByLogin(world.kv, "zoe"))!;
    world.deps.directory = createDirectory(
      slapd.settings({ url: slapd.ldap, startTls: true, searchDn: "ou=people, dc=example,dc=com" }),
    );
    assert.equal(await statusOf(world, "zoe"), 204);
    assert.equal((await findUserByLogin(world.kv, "zoe"))?.value.id, before.id);
    assert.equal((await world.api("erin", "GET", "/api/users")).body.length, 7);
  });

  await t.step("StartTLS does as well", async () => {
    await using world = await worldOf(slapd, { url: slapd.ldap, startTls: true });
    assert.equal(await statusOf(world, "zoe"), 204);
  });

  await t.step(
    "a certificate that no one vouches for, or of another name, is refused",
    async () => {
      const { hostname, port } = new URL(slapd.ldaps.replace("ldaps:", "http:"));
      assert.equal(hostname, "localhost");
      const byAddress = `ldaps://127.0.0.1:${port}`;
      const plainPort = new URL(slapd.ldap.replace("ldap:", "http:")).port;
      const refused: Partial<LdapSettings>[] = [
        { ca: null },
        { url: byAddress },
        { url: slapd.ldap, startTls: true, ca: null },
        { url: `ldap://127.0.0.1:${plainPort}`, startTls: true },
      ];
      for (const settings of refused) {
        await using world = await worldOf(slapd, settings);
        const { status, body } = await signIn(world, "zoe");
        assert.equal(status, 503, JSON.stringify(settings));
        assert.match(body.error, /directory .* cannot be reached right now/);
        assert.equal(await statusOf(world, "alice", PASSWORD), 204, "local accounts go on");
        const failed = world.log.find(({ event }) => event === "directory_failed");
        assert.match(String(failed?.fields.why), /certificate/);
        assert.ok(!JSON.stringify(world.log).includes(passwordOf("zoe")));
      }
    },
  );
});

Deno.test("a refusal by a directory reveals no more than one of our own", async (t) => {
  await using slapd = await startSlapd();
  for (const uid of ["zoe", "bob"]) await slapd.addPerson(uid);

  await t.step("local accounts come first, and are never asked for there", async () => {
    await using world = await worldOf(slapd);
    assert.equal(await statusOf(world, "bob", passwordOf("bob")), 401);
    assert.equal(await statusOf(world, "bob", PASSWORD), 204);
  });

  await t.step(
    "wrong passwords and unknown names are one answer; guesses are slowed down",
    async () => {
      await using world = await worldOf(slapd);
      const wrong = await signIn(world, "zoe", "guess");
      assert.equal(wrong.status, 401);
      assert.equal(wrong.body.error, "Incorrect username or password.");
      const unknown = await signIn(world, "nobody", "guess");
      // Each answer names its own request.
      assert.deepEqual({ ...unknown.body, request_id: "" }, { ...wrong.body, request_id: "" });
      for (let n = 0; n < 4; n++) await signIn(world, "zoe", "guess", `203.0.113.${n}`);
      assert.equal(await statusOf(world, "zoe", passwordOf("zoe"), "203.0.113.9"), 429);
    },
  );

  await t.step("a person removed from the directory can no longer sign in", async () => {
    await using world = await worldOf(slapd);
    await slapd.addPerson("yan");
    assert.equal(await statusOf(world, "yan"), 204);
    await slapd.removePerson("yan");
    assert.equal(await statusOf(world, "yan"), 401);
  });
});

Deno.test("typed text never changes the structure of a query to the directory", async () => {
  await using slapd = await startSlapd();
  await slapd.addPerson("zoe");
  await slapd.addPerson("o)(dd*");
  await using world = await worldOf(slapd);
  assert.equal(await statusOf(world, "o)(dd*"), 204, "odd names are names");
  const attacks = [
    "*",
    "zo*",
    "zoe)(uid=*",
    "*)(objectClass=*",
    "zoe)(|(uid=*",
    "\\7aoe",
    "zoe\\00",
  ];
  for (const [n, auth] of attacks.entries()) {
    assert.equal(await statusOf(world, auth, passwordOf("zoe"), `203.0.113.${n}`), 401, auth);
  }
  assert.equal(await statusOf(world, "zoe", " "), 401);
  assert.equal(
    await createDirectory(slapd.settings()).prove("zoe", ""),
    null,
    "no password at all",
  );
});

Deno.test("groups give the rights of their rules, by the names of people or groups", async () => {
  await using slapd = await startSlapd();
  for (const uid of ["zoe", "yan"]) await slapd.addPerson(uid);
  await slapd.addGroup("operators", ["zoe"]);
  const rules = [
    { claim: "groups", value: groupDn("operators"), gives: "admin" },
    { claim: "group_names", value: "operators", gives: "sign_in" },
  ];
  const byMembers = { dn: "ou=groups,dc=example,dc=com", filter: "(member=%s)" };
  const noMemberOf = { ...slapd.settings().attributes, groups: "description" };
  for (const more of [{}, { attributes: noMemberOf, groups: byMembers }]) {
    await using world = await worldOf(slapd, more, { fileRules: rules });
    assert.equal(await statusOf(world, "zoe"), 204);
    assert.equal((await findUserByLogin(world.kv, "zoe"))?.value.admin, true);
    const { status, body } = await signIn(world, "yan");
    assert.equal(status, 403);
    assert.match(body.error, /\w/);
  }
});

Deno.test("a directory that does not answer is abandoned in time", async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  await using slapd = await startSlapd();
  const { port } = server.address() as AddressInfo;
  const url = `ldap://localhost:${port}`;
  await using world = await worldOf(slapd, { url, startTls: true });
  const started = performance.now();
  assert.equal(await statusOf(world, "zoe"), 503);
  assert.ok(performance.now() - started < 20_000);
  server.close();
});

Deno.test("an error in the settings is logged by its name, and shown to people without blame", async () => {
  await using slapd = await startSlapd();
  await slapd.addPerson("zoe");
  await slapd.addPerson("zoe", "Another Zoe");
  await slapd.addPerson("yan");
  const { bind, attributes } = slapd.settings();
  const nowhere = "ou=nowhere,dc=example,dc=com";
  const plain = slapd.ldap.replace("ldap:", "ldaps:");
  const away = /cannot be reached right now/;
  const wrong = /wrong setting on this server/;
  const cases: [Partial<LdapSettings>, login: string, told: RegExp, why: RegExp][] = [
    [{ url: "ldaps://nowhere.invalid" }, "yan", away, /unknown host.*see CALLBOARD_LDAP_URL/],
    [{ url: "ldaps://localhost:9" }, "yan", away, /connection refused.*see CALLBOARD_LDAP_URL/],
    [{ url: plain }, "yan", away, /see CALLBOARD_LDAP_URL/],
    [{ ca: null }, "yan", away, /authority that is not trusted.*see CALLBOARD_LDAP_CA_FILE/],
    [
      { bind: { ...bind!, password: conceal("old") } },
      "yan",
      wrong,
      /reader.*CALLBOARD_LDAP_BIND_DN/,
    ],
    [{ searchDn: nowhere }, "yan", wrong, /search of people.*CALLBOARD_LDAP_SEARCH_DN/],
    [{ groups: { dn: nowhere, filter: "(member=%s)" } }, "yan", wrong, /LDAP_GROUP_SEARCH_DN/],
    [{ attributes: { ...attributes, id: "uidNumber" } }, "yan", wrong, /LDAP_ID_ATTRIBUTE/],
    [{}, "zoe", /Several people in the directory/, /CALLBOARD_LDAP_SEARCH_FILTER/],
  ];
  for (const [settings, login, told, why] of cases) {
    await using world = await worldOf(slapd, settings);
    const { body } = await signIn(world, login);
    assert.match(body.error, told);
    const { fields } = world.log.find(({ event }) => event.startsWith("directory_"))!;
    assert.match(String(fields.why), why);
    const check = () => world.deps.directory!.check();
    const isAtSignIn = login === "zoe" || settings.attributes !== undefined;
    if (isAtSignIn) await check();
    else await assert.rejects(check, why, "as the start asks it");
  }
});

Deno.test("an account is linked with its owner in the directory, who then has both passwords", async () => {
  await using slapd = await startSlapd();
  for (const uid of ["bob", "zoe"]) await slapd.addPerson(uid);
  await using world = await worldOf(slapd);
  const form = {
    directory_login: "bob",
    directory_password: passwordOf("bob"),
    link_password: PASSWORD,
  };
  const link = async (fields: object) =>
    await world.post("bob", "/account/directory", { ...form, ...fields });
  assert.match(
    await (await world.get("bob", "/account/security")).text(),
    /Link directory account/,
  );
  for (const wrong of [{ link_password: "guess" }, { directory_password: "guess" }]) {
    const refused = await link(wrong);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /aria-invalid/);
    assert.equal(await statusOf(world, "bob", passwordOf("bob")), 401);
  }
  assert.equal((await link({})).headers.get("location"), "/account/security");
  assert.match(
    await (await world.get("bob", "/account/security")).text(),
    /LDAP.*bob@tree.example/s,
  );
  for (const password of [PASSWORD, passwordOf("bob")]) {
    assert.equal(await statusOf(world, "bob", password, "203.0.113.7"), 204);
  }
  const theirs = { ...form, directory_login: "bob" };
  const taken = await world.post("carol", "/account/directory", theirs);
  assert.match(await taken.text(), /Another account is already linked/);
  assert.equal((await world.api("erin", "GET", "/api/users")).body.length, 6, "no new account");
});
