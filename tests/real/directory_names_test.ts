import assert from "node:assert/strict";
import { createDirectory } from "@/lib/ldap/directory.ts";
import type { LdapSettings } from "@/lib/ldap/settings.ts";
import { canServeDomain, domainGroupDn, domainPasswordOf, startSamba } from "../support/samba.ts";
import { passwordOf, startSlapd } from "../support/slapd.ts";

interface Person {
  username: string;
  cn: string;
}

/**
 * Names of people and groups made of letters, and of punctuation with a meaning in filters or DNs.
 */
const PEOPLE: Person[] = [
  { username: "j.müller", cn: "Müller, Jörg (IT)" },
  { username: "иван", cn: 'Иванов "Ваня" Иван' },
  { username: "王伟", cn: "王伟" },
  { username: "o'neil", cn: "O'Neil \\ Sons, Inc. #1; <x> = y + z" },
];
const GROUPS = ["Web, Shop (EU)", 'Größe "L"', "Отдел \\ продаж", "运维", "a+b=c; #1 <x>"];

/** Tries all people, with groups on their entries, and with groups that list them. */
async function tryNames(
  settingsOf: (more?: Partial<LdapSettings>) => LdapSettings,
  passwordOf: (username: string) => string,
  groupsDn: string,
): Promise<void> {
  const { attributes } = settingsOf();
  const byMembers: Partial<LdapSettings> = {
    attributes: { ...attributes, groups: "description" },
    groups: { dn: groupsDn, filter: "(&(member=%s)(|(cn=*)(cn=\\c3\\bc)))" },
  };
  for (const more of [{}, byMembers]) {
    const directory = createDirectory(settingsOf(more));
    for (const { username } of PEOPLE) {
      const found = await directory.prove(username, passwordOf(username));
      assert.equal(found?.profile.username, username);
      const names = found.claims.group_names as string[];
      assert.deepEqual(names.toSorted(), GROUPS.toSorted(), username);
      assert.equal(await directory.prove(username, "guess"), null);
    }
  }
}

Deno.test("names and groups of all languages and signs are found in OpenLDAP", async () => {
  await using slapd = await startSlapd();
  for (const { username, cn } of PEOPLE) await slapd.addPerson(username, cn);
  for (const group of GROUPS) await slapd.addGroup(group, PEOPLE.map(({ cn }) => cn));
  await tryNames(slapd.settings, passwordOf, "ou=groups,dc=example,dc=com");
});

Deno.test({
  name: "names and groups of all languages and signs are found in Active Directory",
  ignore: !canServeDomain,
  async fn() {
    await using samba = await startSamba();
    for (const { username, cn } of PEOPLE) await samba.addPerson(username, cn);
    for (const group of GROUPS) await samba.addGroup(group, PEOPLE.map(({ cn }) => cn));
    await tryNames(samba.settings, domainPasswordOf, domainGroupDn("x").replace(/^CN=x,/, ""));
  },
});
