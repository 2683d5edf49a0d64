import assert from "node:assert/strict";
import { withoutRunFolder } from "./result_store.ts";

const diffOf = (name: string) => `--- ${name}\n+++ ${name}\n@@ -0,0 +1 @@\n+a line`;

Deno.test("the path of the task's folder is removed from a stored diff", () => {
  const run = "/srv/callboard/data/tasks/12";
  const names: [before: string, after: string][] = [
    [`${run}/tmp/ansible-local-77ab_c/tmpx1y2/motd.j2`, "motd.j2"],
    [`${run}/tmp/ansible-local-77ab_c/tmpx1y2`, ""],
    [`${run}/tmp/ansible-local-77ab_c/.tmpx1y2`, ""],
    [`${run}/checkout/roles/web/files/nginx.conf`, "roles/web/files/nginx.conf"],
    ["/etc/motd", "/etc/motd"],
    ["/srv/tasks/12/checkout.txt", "/srv/tasks/12/checkout.txt"],
    ["", ""],
  ];
  for (const [before, after] of names) {
    assert.equal(withoutRunFolder(diffOf(before)), diffOf(after), before);
  }
  const two = `${diffOf(names[0]![0])}\n${diffOf(names[3]![0])}`;
  assert.equal(withoutRunFolder(two), `${diffOf("motd.j2")}\n${diffOf(names[3]![1])}`);
});
