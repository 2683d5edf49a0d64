import assert from "node:assert/strict";
import {
  gitAddress,
  isBranchName,
  repositoryKind,
  repositoryUrlProblem,
  staysInside,
} from "./url.ts";

Deno.test("the scheme says the kind of a repository; without one it is ssh, or a folder", () => {
  assert.equal(repositoryKind("/srv/playbooks"), "local");
  assert.equal(repositoryKind("git@example.com:ops/shop.git"), "ssh");
  assert.equal(repositoryKind("ssh://git@example.com/shop.git"), "ssh");
  assert.equal(repositoryKind("HTTPS://example.com/shop.git"), "https");
  assert.equal(repositoryKind("http://example.com/shop.git"), "https");
  assert.equal(repositoryKind("git://example.com/shop.git"), "git");
  assert.equal(repositoryKind("file:///srv/shop.git"), "file");
  for (const url of ["ftp://example.com/x", "local://x", "://x"]) {
    assert.equal(repositoryKind(url), null, url);
  }
});

Deno.test("URLs that git can be given", () => {
  const urls = [
    "/srv/playbooks",
    "git@example.com:ops/shop.git",
    "example.com:shop.git",
    "git@[2001:db8::1]:shop.git",
    "ssh://git@example.com:2222/shop.git",
    "https://example.com:8443/shop.git",
    "https://token@example.com/shop.git",
    "http://git.example.com:3000/shop.git",
    "git@example.com/ops/shop.git",
    "git://example.com/shop.git",
    "file:///srv/shop.git",
  ];
  for (const url of urls) assert.equal(repositoryUrlProblem(url), null, url);
});

Deno.test("URLs that git would take for a command, an option, or nothing", () => {
  const urls = [
    "ext::sh -c touch% /tmp/owned",
    "fd::17",
    "-oProxyCommand=touch:x",
    "git@-oProxyCommand=x:y",
    "-o@example.com:y",
    "example.com:-oProxyCommand",
    "ssh://-oProxyCommand=x/y",
    "ssh://%2doProxyCommand=x/y",
    "ssh://-o@example.com/y",
    "playbooks",
    "../playbooks",
    "git@example.com:",
    "git@example.com",
    "git@example.com/",
    "git@-oProxyCommand=x/y",
    "-oProxyCommand=x@example.com/y",
    "example.com/shop.git",
    "http://",
    "https://",
    "https://example.com",
    "file://example.com/x",
    "ftp://example.com/x",
    "https://example.com/a b",
    "https://token\\@example.com/x",
    "https://example.com/a\nb",
  ];
  for (const url of urls) {
    assert.equal(repositoryUrlProblem(url), "errors.repositories.incorrect_url", url);
  }
});

Deno.test("without a scheme a URL is one of ssh, also where git would look for a folder", () => {
  assert.equal(gitAddress("git@example.com/ops/shop.git"), "ssh://git@example.com/ops/shop.git");
  const others = ["git@example.com:ops/shop.git", "ssh://git@example.com/x", "/srv/git@x/y"];
  for (const url of [...others, "https://me@example.com/x"]) assert.equal(gitAddress(url), url);
});

Deno.test("a password in a URL is taken where it can be kept apart: of http addresses", () => {
  assert.equal(repositoryUrlProblem("https://me:secret@example.com/x"), null);
  for (const url of ["ssh://me:secret@example.com/x", "git://token@example.com/x"]) {
    assert.equal(repositoryUrlProblem(url), "errors.repositories.password_in_url");
  }
});

Deno.test("branch names", () => {
  for (const name of ["main", "feature/x-1", "v1.2.3", "ümlaut"]) assert.ok(isBranchName(name));
  const wrong = ["", "-x", "/x", "x/", "a..b", "a b", "a~1", "a^", "a:b", "a?", "a*", "a\\b"];
  for (const name of [...wrong, "a.lock", "a@{1}", "a\tb"]) assert.ok(!isBranchName(name), name);
});

Deno.test("paths that stay inside a checkout", () => {
  for (const path of ["site.yml", "plays/site.yml", "a..b/site.yml", "ns.collection.play"]) {
    assert.ok(staysInside(path), path);
  }
  for (const path of ["", "/etc/passwd", "..", "../x", "a/../../x", "a/..", "a\0b"]) {
    assert.ok(!staysInside(path), path);
  }
});
