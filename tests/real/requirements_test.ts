import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { findAnsible } from "../../lib/execution/ansible/installation.ts";
import { noIsolation } from "../../lib/execution/process/isolation.ts";
import { newGitRepository } from "../support/git_repository.ts";
import { newRunBench } from "../support/run_bench.ts";

const ansible = await findAnsible({
  dataDir: fileURLToPath(new URL("../../data", import.meta.url)),
  isolation: noIsolation,
  path: Deno.env.get("PATH")!,
  variables: {},
});

const greet = (who: string) => `- debug: { msg: "hello from ${who}" }\n`;

Deno.test({
  name: "roles and collections of the requirement files are there when the playbook runs",
  ignore: !ansible,
  async fn() {
    await using bench = await newRunBench();
    Object.assign(bench.environment.ansible, ansible);
    bench.environment.timeLimits.galaxyMs = 60_000;
    const role = await newGitRepository(`${bench.directory}/role`);
    await role.commit({
      "tasks/main.yml": greet("the role"),
      "meta/main.yml":
        "galaxy_info: { author: alice, description: d, license: MIT, min_ansible_version: '2.14' }\ndependencies: []\n",
    }, "Role");
    const collection = await newGitRepository(`${bench.directory}/collection`);
    await collection.commit({
      "galaxy.yml":
        "namespace: alice\nname: things\nversion: 1.0.0\nreadme: README.md\nauthors: [Alice]\n",
      "README.md": "Things\n",
      "roles/inner/tasks/main.yml": greet("the collection"),
    }, "Collection");
    await bench.repository.commit({
      "requirements.yml": `roles:
  - { name: greeter, src: "${role.url}", scm: git, version: main }
collections:
  - { name: "git+${collection.url}", type: git, version: main }
`,
      "old/roles/requirements.yml": `- { name: old_greeter, src: "${role.url}", scm: git }\n`,
      "old/roles/own/tasks/main.yml": greet("the checkout"),
      "old/site.yml": `- hosts: localhost
  gather_facts: false
  roles: [greeter, old_greeter, own, alice.things.inner]
`,
    }, "Use them");
    const ran = await bench.run(bench.plan({ playbook: "old/site.yml" }));
    assert.equal(ran.end, "success", ran.log);
    for (const who of ["role", "collection", "checkout"]) {
      assert.match(ran.log, new RegExp(`hello from the ${who}`));
    }
    assert.match(ran.log, /ok=4\s/);
  },
});

Deno.test({
  name: "a run in which no host matched is no success",
  ignore: !ansible,
  async fn() {
    await using bench = await newRunBench();
    Object.assign(bench.environment.ansible, ansible);
    await bench.repository.commit({
      "web.yml": "- hosts: web\n  tasks: []\n",
      "local.yml": "- hosts: localhost\n  gather_facts: false\n  tasks: [{ debug: }]\n",
    }, "Web");
    const nobody = await bench.run(bench.plan({ playbook: "web.yml" }));
    assert.equal(nobody.reason?.key, "errors.run.no_hosts_matched", nobody.log);
    const plan = bench.plan({ playbook: "web.yml" });
    plan.inventory = { ...plan.inventory, type: "static-yaml", content: "{ no inventory" };
    const unreadable = await bench.run(plan);
    assert.equal(unreadable.reason?.key, "errors.run.inventory_unreadable", unreadable.log);
    const none = bench.plan({ playbook: "local.yml" });
    none.inventory = { ...none.inventory, content: "[web]\n" };
    const empty = await bench.run(none);
    assert.equal(empty.reason?.key, "errors.run.inventory_empty", empty.log);
  },
});
