import assert from "node:assert/strict";
import { conceal } from "../../base/secret.ts";
import { parseAddress, secretsOfUrl } from "./address.ts";

Deno.test("the error for a wrong address contains neither login nor password", () => {
  const wrong = [
    "https://me:hunter2@example.com/a b.git",
    "ftp://me:hunter2@example.com/shop.git",
    "-https://me:hunter2@example.com/shop.git",
    "https://me:hunter2@-example.com/shop.git",
  ];
  for (const url of wrong) {
    assert.throws(
      () => parseAddress(conceal(url), "none"),
      (error: { params: { url: string } }) => {
        assert.equal(error.params.url, url.replace("me:hunter2@", ""));
        return true;
      },
    );
  }
});

Deno.test("login and password are secret with blanks around the address, too", () => {
  assert.deepEqual(secretsOfUrl(" https://me:hunter2@example.com/shop.git\n", "none"), ["hunter2"]);
  assert.deepEqual(secretsOfUrl("https://example.com/shop.git", "none"), []);
});
