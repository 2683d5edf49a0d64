import assert from "node:assert/strict";
import { createDirectory } from "@/lib/ldap/directory.ts";
import { tryNames } from "@/tests/support/services/directory_names.ts";
import {
  canServeDomain,
  domainGroupDn,
  domainPasswordOf,
  type Samba,
  startSamba,
} from "@/tests/support/programs/samba.ts";
import { newWorld, readAnswer } from "@/tests/support/world/world.ts";

/** States of accounts in a domain, and the sentence that their owners see. */
const REFUSED: [username: string, attributes: Record<string, string>, told: RegExp, why: RegExp][] =
  [
    ["disabled", { userAccountControl: "514" }, /is disabled/, /data 533/],
    // In units of 100 ns since 1601.
    ["expired", { accountExpires: "130000000000000000" }, /account .* has expired/, /data 701/],
    ["fresh", { pwdLastSet: "0" }, /must change your password/, /data 773/],
    ["locked", {}, /^Incorrect username or password/, /data 775/],
  ];

Deno.test({
  name: "Active Directory",
  ignore: !canServeDomain,
  async fn(t) {
    // Making a domain takes 5 s.
    await using samba = await startSamba();
    await t.step("names and groups of all languages and signs are found", async () => {
      await tryNames(samba, domainPasswordOf, domainGroupDn("x").replace(/^CN=x,/, ""));
    });
    await t.step(
      "it says why it refuses a right password, and nothing of a wrong one",
      () => refusePasswords(samba),
    );
  },
});

async function refusePasswords(samba: Samba): Promise<void> {
  await using world = await newWorld({
    deps: { directory: createDirectory(samba.settings()) },
  });
  let asked = 0;
  const signIn = async (auth: string, password: string) =>
    await readAnswer(
      await world.request("/api/auth/login", {
        method: "POST",
        body: JSON.stringify({ auth, password }),
        address: `203.0.113.${++asked}`,
      }),
    );
  await samba.changeDomain({ lockoutThreshold: "2" });
  for (const [username, attributes, told, why] of REFUSED) {
    await samba.addPerson(username, `${username} person`);
    assert.equal((await signIn(username, domainPasswordOf(username))).status, 204);
    await samba.changePerson(`${username} person`, attributes);
    for (let n = 0; n < 2; n++) {
      const { status, body } = await signIn(username, "guess");
      assert.deepEqual([status, body.error], [401, "Incorrect username or password."]);
      if (username !== "locked") {
        await samba.changePerson(`${username} person`, { lockoutTime: "0" });
      }
    }
    world.log.length = 0;
    const { status, body } = await signIn(username, domainPasswordOf(username));
    assert.match(body.error, told);
    assert.equal(status, username === "locked" ? 401 : 403);
    const line = world.log.find(({ event }) => event === "directory_refused")!;
    assert.match(String(line.fields.why), why);
    assert.match(String(line.fields.person), new RegExp(`^CN=${username} person,`));
  }
}
