import assert from "node:assert/strict";
import { isSecret } from "../base/secret.ts";
import { readLdap } from "./settings.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";

const read = (variables: Record<string, string>) =>
  readLdap({ get: (name) => variables[name.replace("CALLBOARD_LDAP_", "")] });

const GOOD = { URL: "ldap://directory.example.com:389", SEARCH_DN: "ou=people,dc=example,dc=com" };

Deno.test("a directory needs its address and search DN; the rest has usual defaults", async () => {
  assert.equal(await read({ SEARCH_DN: "dc=example" }), null);
  const settings = await read(GOOD);
  assert.equal(settings?.startTls, true, "nobody's password goes over the line in clear unasked");
  assert.equal(settings?.searchFilter, "(uid=%s)");
  assert.equal(settings?.bind, null);
  assert.equal(settings?.issuer, "ldap:directory", "whatever the search DN is");
  assert.equal((await read({ ...GOOD, ISSUER: "branch" }))?.issuer, "ldap:branch");
  const plain = await read({ ...GOOD, START_TLS: "false" });
  assert.equal(plain?.startTls, false);
  assert.equal((await read({ ...GOOD, URL: "ldaps://directory.example.com" }))?.startTls, false);
  const bound = await read({ ...GOOD, BIND_DN: "cn=x", BIND_PASSWORD: "hush" });
  assert.ok(isSecret(bound?.bind?.password) && revealed(bound.bind.password) === "hush");
});

Deno.test("a setting that cannot be used is reported by its name", async () => {
  const wrong: [variables: Record<string, string>, sentence: RegExp][] = [
    [{ URL: "http://directory" }, /CALLBOARD_LDAP_URL must be ldap:/],
    [{ URL: "ldap://user@directory" }, /CALLBOARD_LDAP_URL must be/],
    [{ URL: "ldap://directory/dc=x" }, /CALLBOARD_LDAP_URL must be/],
    [{ SEARCH_DN: "" }, /CALLBOARD_LDAP_SEARCH_DN is required/],
    [{ SEARCH_FILTER: "(uid=me)" }, /CALLBOARD_LDAP_SEARCH_FILTER must be a filter in parentheses/],
    [{ SEARCH_FILTER: "(u(id=%s)" }, /CALLBOARD_LDAP_SEARCH_FILTER must be/],
    [{ SEARCH_FILTER: "uid=%s" }, /CALLBOARD_LDAP_SEARCH_FILTER must be/],
    [{ EMAIL_ATTRIBUTE: "mail)(uid=*" }, /CALLBOARD_LDAP_EMAIL_ATTRIBUTE must be the name/],
    [{ BIND_DN: "cn=x" }, /CALLBOARD_LDAP_BIND_DN needs CALLBOARD_LDAP_BIND_PASSWORD/],
    [{ ISSUER: "ou=x" }, /CALLBOARD_LDAP_ISSUER must be/],
    [{ CA_FILE: "/nowhere/ca.pem" }, /CALLBOARD_LDAP_CA_FILE: .* the file does not exist/],
    [{ NEW_ACCOUNTS: "maybe" }, /CALLBOARD_LDAP_NEW_ACCOUNTS must be create, ask or refuse/],
    [{ START_TLS: "perhaps" }, /CALLBOARD_LDAP_START_TLS must be true or false/],
  ];
  for (const [variables, sentence] of wrong) {
    await assert.rejects(read({ ...GOOD, ...variables }), {
      name: "ConfigError",
      message: sentence,
    });
  }
});
