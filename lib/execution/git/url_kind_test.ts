import assert from "node:assert/strict";
import { repositoryUrlProblem } from "./url.ts";
import { withKind } from "./url_kind.ts";

Deno.test("A repository's URL is rewritten for another way to reach it", () => {
  const ssh = "git@git.example.com:team/shop.git";
  assert.equal(withKind(ssh, "https"), "https://git.example.com/team/shop.git");
  assert.equal(withKind(ssh, "ssh"), "ssh://git@git.example.com/team/shop.git");
  assert.equal(
    withKind("https://git.example.com/shop.git", "git"),
    "git://git.example.com/shop.git",
  );
  assert.equal(
    withKind("https://git.example.com:8443/shop", "ssh"),
    "ssh://git.example.com:8443/shop",
  );
  assert.equal(withKind("/srv/shop", "file"), "file:///srv/shop");
  assert.equal(withKind("file:///srv/shop", "local"), "/srv/shop");
  assert.equal(withKind("", "https"), "https://");
});

Deno.test("A rewritten URL is one that git may be given", () => {
  for (const kind of ["ssh", "https", "file", "git", "local"] as const) {
    assert.equal(repositoryUrlProblem(withKind("git@git.example.com:team/shop.git", kind)), null);
  }
});
