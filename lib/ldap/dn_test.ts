import assert from "node:assert/strict";
import { commonName } from "./dn.ts";

Deno.test("the name of a group is the first name of its DN, without the escapes", () => {
  const cases: [dn: string, name: string][] = [
    ["cn=admins,ou=groups,dc=example,dc=com", "admins"],
    ["CN=Web\\, Shop (EU),CN=Users,DC=example", "Web, Shop (EU)"],
    ["cn=Web\\2C Shop \\28EU\\29,dc=example", "Web, Shop (EU)"],
    ['cn=Gr\\c3\\b6\\c3\\9fe \\"L\\",dc=example', 'Größe "L"'],
    ["cn=Größe\\+1+ou=x,dc=example", "Größe+1"],
    ["cn=a \\\\ab,dc=example", "a \\ab"],
    ["cn=\\23 \\e8\\bf\\90,dc=example", "# 运"],
    ["admins", "admins"],
  ];
  for (const [dn, name] of cases) assert.equal(commonName(dn), name, dn);
});
