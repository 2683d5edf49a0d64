import assert from "node:assert/strict";
import { webAddress } from "./web_address.ts";

Deno.test("a file at a commit has an address on hosts whose pages are known", () => {
  const file = (url: string) => webAddress(url, "5c09", "plays/web site.yml")?.file;
  const github = "https://github.com/ops/shop/blob/5c09/plays/web%20site.yml";
  assert.equal(file("https://github.com/ops/shop.git"), github);
  assert.equal(file("https://user@github.com/ops/shop"), github);
  assert.equal(file("git@github.com:ops/shop.git"), github);
  assert.equal(file("git@github.com/ops/shop.git"), github);
  assert.equal(file("ssh://git@github.com:22/ops/shop.git/"), github);
  assert.equal(
    file("https://gitlab.example.com:8443/a/b/shop.git"),
    "https://gitlab.example.com:8443/a/b/shop/-/blob/5c09/plays/web%20site.yml",
  );
  assert.equal(
    file("git@codeberg.org:ops/shop.git"),
    "https://codeberg.org/ops/shop/src/commit/5c09/plays/web%20site.yml",
  );
  assert.equal(
    webAddress("git@bitbucket.org:ops/shop.git", "5c09", "site.yml")?.commit,
    "https://bitbucket.org/ops/shop/commits/5c09",
  );
});

Deno.test("other hosts, folders and files have no address on the web", () => {
  for (
    const url of [
      ...["git@git.example.com:ops/shop.git", "https://example.com/github.com/shop"],
      ...["/srv/github.com/shop", "file:///srv/shop", "git://github.com/ops/shop"],
      ...["https://notgithub.com/ops/shop", "javascript:github.com", ""],
    ]
  ) assert.equal(webAddress(url, "5c09", "site.yml"), null, url);
});
