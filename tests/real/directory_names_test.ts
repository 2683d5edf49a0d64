import { tryNames } from "../support/directory_names.ts";
import { passwordOf, startSlapd } from "../support/slapd.ts";

Deno.test("names and groups of all languages and signs are found in OpenLDAP", async () => {
  await using slapd = await startSlapd();
  await tryNames(slapd, passwordOf, "ou=groups,dc=example,dc=com");
});
