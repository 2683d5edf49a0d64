import assert from "node:assert/strict";
import { hostsOf } from "./static_hosts.ts";

Deno.test("hosts of an INI inventory are distinguished from groups, variables and comments", () => {
  const text = `
# all of them
mail.example.com ansible_host=10.0.0.1
[web]
web1.example.com:2222   # the first
web[2:3].example.com
; web9.example.com
[web:vars]
ansible_user=deploy
[all:children]
web
[db]
db-[a:c]
mail.example.com
`;
  assert.deepEqual(hostsOf("static", text), [
    "mail.example.com",
    "web1.example.com",
    "web2.example.com",
    "web3.example.com",
    "db-a",
    "db-b",
    "db-c",
  ]);
});

Deno.test("ranges preserve zeros, support steps, and are found as written if they are long", () => {
  const of = (line: string) => hostsOf("static", line);
  assert.deepEqual(of("n[08:10]"), ["n08", "n09", "n10"]);
  assert.deepEqual(of("n[1:7:3].x"), ["n1.x", "n4.x", "n7.x"]);
  for (const odd of ["n[1:999999999]", "n[5:1]", "n[1:2][1:2]", "n[a:3]"]) {
    assert.deepEqual(of(odd), [odd]);
  }
  assert.equal(hostsOf("static", "n[1:1000]\nm[1:1000]", 1_500).length, 1_500);
});

Deno.test("hosts of a YAML inventory are found however deep their group is", () => {
  const text = `
all:
  hosts:
    mail.example.com: { ansible_host: 10.0.0.1 }
  vars:
    hosts: { not_a_host: }
    secret: !vault |
      $ANSIBLE_VAULT;1.1;AES256
      6138
  children:
    web:
      hosts:
        web[1:2].example.com:
          children: not a group
          hosts:
            not_a_host:
      children:
        # deeper
        deep:
          hosts:
            "deep.example.com": { a: 1 }
            fe80::1:
    empty:
ungrouped:
    hosts:
      10:
`;
  const found = hostsOf("static-yaml", text).toSorted();
  assert.deepEqual(found, [
    "10",
    "deep.example.com",
    "fe80::1",
    "mail.example.com",
    "web1.example.com",
    "web2.example.com",
  ]);
});

Deno.test("a text that is not an inventory has no hosts", () => {
  const odd = [
    "",
    "hello",
    "- a\n- b",
    "a: [",
    "&a [*a]",
    "{".repeat(50_000),
    "a:\n".repeat(50_000),
  ];
  for (const text of odd) assert.deepEqual(hostsOf("static-yaml", text), [], text.slice(0, 20));
});
