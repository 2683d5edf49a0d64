import assert from "node:assert/strict";
import { type FileKind, isExact, requiredEntries, requirementText } from "./entries.ts";

const read = (document: unknown, kind: FileKind = "both") =>
  requiredEntries(document, kind).map((entry) =>
    "include" in entry ? entry : [entry.from, entry.name, entry.address, entry.version].join(" ")
  );

Deno.test("roles are read in all the ways that ansible-galaxy reads them", () => {
  const cases: [unknown, string][] = [
    ["geerlingguy.docker", "galaxy geerlingguy.docker geerlingguy.docker "],
    ["geerlingguy.docker,7.4.1", "galaxy geerlingguy.docker geerlingguy.docker 7.4.1"],
    ["git+https://h/r.git,v1,short", "git short https://h/r.git v1"],
    [{ name: "x", src: "git@h:a/r.git", scm: "git" }, "git x git@h:a/r.git "],
    [{ src: "https://github.com/a/r", version: 1.5 }, "git r https://github.com/a/r 1.5"],
    [{ src: "https://me:pw@h/a/r.git", scm: "git" }, "git r https://me:pw@h/a/r.git "],
    [{ src: "https://h/role.tar.gz" }, "archive role https://h/role.tar.gz "],
    [{ src: "roles/role.tar.gz", name: "x" }, "local x roles/role.tar.gz "],
    [{ src: "file:///srv/role.tar.gz", name: "x" }, "local x /srv/role.tar.gz "],
    [{ role: "a.b", version: "1.0" }, "galaxy a.b a.b 1.0"],
    [{ src: "hg+https://h/r" }, "archive r https://h/r "],
  ];
  for (const [item, expected] of cases) assert.deepEqual(read([item]), [expected]);
  assert.deepEqual(read([{ include: "more.yml" }]), [{ include: "more.yml" }]);
  // The scheme comes first in the text, because Ansible splits at the first plus sign.
  const [entry] = requiredEntries([{ src: "git+https://h/c++/r", version: "main" }], "roles");
  assert.ok(!("include" in entry));
  assert.equal(
    requirementText([{ ...entry, version: "abc" }]),
    '{"roles":[{"name":"r","src":"git+https://h/c++/r","version":"abc"}]}',
  );
});

Deno.test("collections are read in all the ways that ansible-galaxy reads them", () => {
  const cases: [unknown, string][] = [
    ["community.general", "galaxy community.general community.general "],
    [{ name: "a.b", version: "*" }, "galaxy a.b a.b "],
    [{ name: "a.b", version: ">=1.0.0,<2", source: "hub" }, "galaxy a.b a.b >=1.0.0,<2"],
    ["git+https://h/c.git,devel", "git c https://h/c.git devel"],
    ["git+ssh://git@h/c.git#/sub/,v1", "git c ssh://git@h/c.git v1"],
    [{ name: "a.b", source: "git@h:a/c.git", type: "git", version: 2 }, "git a.b git@h:a/c.git 2"],
    [{ name: "https://h/c.git", type: "git" }, "git c https://h/c.git "],
    [{ name: "https://h/a-b-1.0.0.tar.gz" }, "archive a-b-1.0.0 https://h/a-b-1.0.0.tar.gz "],
    [{ name: "collections/mine", type: "dir" }, "local collections/mine collections/mine "],
    [{ source: "./all", type: "subdirs" }, "local ./all ./all "],
  ];
  for (const [item, expected] of cases) {
    assert.deepEqual(read({ collections: [item] }), [expected]);
  }
  const text = '{"collections":[{"name":"git+ssh://git@h/c.git#/sub/","version":"v1"}]}';
  const entries = requiredEntries({ collections: ["git+ssh://git@h/c.git#/sub/,v1"] }, "both");
  assert.equal(requirementText(entries.flatMap((entry) => "include" in entry ? [] : entry)), text);
});

Deno.test("only whole commits and exact versions always stand for the same", () => {
  const exact = (document: unknown) => {
    const [entry] = requiredEntries(document, "both");
    return !("include" in entry) && isExact(entry);
  };
  const role = (version: string) => exact([{ src: "git+https://h/r", version }]);
  const collection = (version: string) => exact({ collections: [{ name: "a.b", version }] });
  assert.deepEqual(["a".repeat(40), "main", "v1.0.0", "abcdef1", ""].map(role), [
    ...[true, false, false, false, false],
  ]);
  assert.deepEqual(["1.0.0", "==1.0.0", "1.0.0-beta.1", ">=1.0.0", "*", "1.0"].map(collection), [
    ...[true, true, true, false, false, false],
  ]);
});
