import { tryNames } from "@/tests/support/services/directory_names.ts";
import { passwordOf, startSlapd } from "@/tests/support/programs/slapd.ts";

Deno.test("names and groups of all languages and signs are found in OpenLDAP", async () => {
  await using slapd = await startSlapd();
  await tryNames(slapd, passwordOf, "ou=groups,dc=example,dc=com");
});
