import assert from "node:assert/strict";
import { createDirectory } from "@/lib/ldap/directory.ts";
import type { LdapSettings } from "@/lib/ldap/settings.ts";

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

interface NamedDirectory {
  settings(more?: Partial<LdapSettings>): LdapSettings;
  addPerson(username: string, cn: string): Promise<void>;
  addGroup(cn: string, people: string[]): Promise<void>;
}

/**
 * Adds such people and groups to a directory, and finds all of them there: with groups on their
 * entries, and with groups below `groupsDn` that list them.
 */
export async function tryNames(
  { settings, addPerson, addGroup }: NamedDirectory,
  passwordOf: (username: string) => string,
  groupsDn: string,
): Promise<void> {
  for (const { username, cn } of PEOPLE) await addPerson(username, cn);
  for (const group of GROUPS) await addGroup(group, PEOPLE.map(({ cn }) => cn));
  const { attributes } = settings();
  const byMembers: Partial<LdapSettings> = {
    attributes: { ...attributes, groups: "description" },
    groups: { dn: groupsDn, filter: "(&(member=%s)(|(cn=*)(cn=\\c3\\bc)))" },
  };
  for (const more of [{}, byMembers]) {
    const directory = createDirectory(settings(more));
    for (const { username } of PEOPLE) {
      const found = await directory.prove(username, passwordOf(username));
      assert.equal(found?.profile.username, username);
      const names = found.claims.group_names as string[];
      assert.deepEqual(names.toSorted(), GROUPS.toSorted(), username);
      assert.equal(await directory.prove(username, "guess"), null);
    }
  }
}
