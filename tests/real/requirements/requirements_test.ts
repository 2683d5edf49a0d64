import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { findAnsible } from "@/lib/execution/ansible/installation.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { requirementLabel } from "@/lib/execution/run/requirement_label.ts";
import type { UsedRequirements } from "@/lib/execution/run/used_requirements.ts";
import { newRunBench, proveOnBoth } from "@/tests/support/server/run_bench.ts";

const ansible = await findAnsible({
  dataDir: fileURLToPath(new URL("../../../data", import.meta.url)),
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
  name: "a run in which no host matched is not a success",
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
    assert.equal(unreadable.reason?.key, "errors.run.inventory_error", unreadable.log);
    const none = bench.plan({ playbook: "local.yml" });
    none.inventory = { ...none.inventory, content: "[web]\n" };
    const empty = await bench.run(none);
    assert.equal(empty.reason?.key, "errors.run.inventory_empty", empty.log);
  },
});

/** Returns a role that greets, as a repository, and a function that changes its greeting. */
async function newRole(path: string) {
  const repository = await newGitRepository(path);
  const say = (who: string) =>
    repository.commit({
      "tasks/main.yml": greet(who),
      "meta/main.yml": "galaxy_info: { author: a, description: d, license: MIT }\n",
    }, who);
  return { ...repository, say };
}

const collectionFiles = (folder: string, who: string, version = "1.0.0") => ({
  [`${folder}/galaxy.yml`]:
    `namespace: alice\nname: things\nversion: ${version}\nreadme: README.md\nauthors: [Alice]\n`,
  [`${folder}/README.md`]: "Things\n",
  [`${folder}/roles/inner/tasks/main.yml`]: greet(who),
});

const labels = (ran: { requirements: UsedRequirements | null }) =>
  ran.requirements?.items.map(requirementLabel);

proveOnBoth(
  "a branch of a role is looked up at each start, and a repeated run uses its commit",
  async (on) => {
    await using bench = await newRunBench(on);
    Object.assign(bench.environment.ansible, ansible);
    bench.environment.timeLimits.galaxyMs = 60_000;
    const role = await newRole(`${bench.directory}/role`);
    const old = await role.say("first");
    await bench.repository.commit({
      "roles/requirements.yaml": "- include: more/roles.yml\n",
      "more/roles.yml": `- { name: greeter, src: "${role.url}", scm: git, version: main }\n`,
      "site.yml": "- hosts: localhost\n  gather_facts: false\n  roles: [greeter]\n",
    }, "Use it");
    const first = await bench.run(bench.plan());
    assert.match(first.log, /hello from first/);
    assert.match(first.log, new RegExp(`^  greeter main ${old.slice(0, 7)}$`, "m"));
    assert.deepEqual(labels(first), [`greeter main ${old.slice(0, 7)}`]);
    const again = await bench.run(bench.plan());
    assert.match(again.log, /already installed/);

    const moved = await role.say("second");
    const second = await bench.run(bench.plan());
    assert.match(second.log, /hello from second/);
    assert.deepEqual(labels(second), [`greeter main ${moved.slice(0, 7)}`]);
    const same = first.requirements!;
    const repeated = await bench.run(bench.plan({ requirements: { same } }));
    assert.match(repeated.log, /already installed[^]*hello from first/);
    // Another machine has nothing installed, and so do those that have removed it meanwhile.
    const rebuilt = await bench.run(bench.plan({ projectId: 2, requirements: { same } }));
    assert.match(rebuilt.log, /hello from first/);
    assert.deepEqual(rebuilt.requirements!.items, same.items);

    await Deno.rename(role.path, `${role.path}-away`);
    const lost = await bench.run(bench.plan());
    assert.equal(lost.reason?.key, "errors.run.requirement_unreachable");
    assert.equal(lost.reason?.params?.name, "greeter");
    assert.match((await bench.run(bench.plan({ requirements: { same } }))).log, /hello from first/);
  },
  { ignore: !ansible },
);

Deno.test({
  name: "a collection in the repository is that of the commit, and everything can be renewed",
  ignore: !ansible,
  async fn() {
    await using bench = await newRunBench();
    Object.assign(bench.environment.ansible, ansible);
    bench.environment.timeLimits.galaxyMs = 60_000;
    const commit = (who: string) =>
      bench.repository.commit({
        "requirements.yml": "collections:\n  - { name: collections/mine, type: dir }\n",
        "site.yml": "- hosts: localhost\n  gather_facts: false\n  roles: [alice.things.inner]\n",
        ...collectionFiles("collections/mine", who),
      }, who);
    const old = await commit("first");
    const first = await bench.run(bench.plan());
    assert.match(first.log, /hello from first/);
    assert.deepEqual(labels(first), ["alice.things 1.0.0"]);
    await commit("second");
    assert.match((await bench.run(bench.plan())).log, /hello from second/);
    const { repository } = bench.plan();
    const pinned = await bench.run(bench.plan({ repository: { ...repository, commit: old } }));
    assert.match(pinned.log, /already installed[^]*hello from first/);
    const renewed = await bench.run(bench.plan({ requirements: { generation: "two" } }));
    assert.match(renewed.log, /Installing the requirements of requirements.yml/);
  },
});

Deno.test({
  name: "requirements of all forms are read as ansible-galaxy reads them",
  ignore: !ansible,
  async fn() {
    await using bench = await newRunBench();
    Object.assign(bench.environment.ansible, ansible);
    bench.environment.timeLimits.galaxyMs = 60_000;
    const role = await newRole(`${bench.directory}/role`);
    const tagged = await role.say("tag");
    await role.git("tag", "-a", "-m", "One", "v1");
    const collection = await newGitRepository(`${bench.directory}/collection`);
    await collection.commit(collectionFiles("sub", "the collection"), "Collection");
    await collection.git("branch", "side");
    const head = await role.say("head");
    const short = (hash: string) => hash.slice(0, 7);
    await bench.repository.commit({
      "requirements.yml": `roles:
  - git+${role.url},v1,tagged
  - { src: "git+${role.url}" }
  - { role: whole, src: "git+${role.url}", version: ${head} }
  - { name: start, src: "${role.url}", scm: git, version: "${head.slice(0, 12)}" }
collections:
  - "git+${collection.url}#/sub/,side"
`,
      "site.yml": `- hosts: localhost
  gather_facts: false
  roles: [tagged, role, whole, start, alice.things.inner]
`,
    }, "Use them");
    const ran = await bench.run(bench.plan());
    assert.equal(ran.end, "success", ran.log);
    assert.deepEqual(ran.log.match(/hello from \w+( collection)?/g), [
      ...["hello from tag", "hello from head", "hello from head", "hello from head"],
      "hello from the collection",
    ]);
    assert.deepEqual(labels(ran), [
      `tagged v1 ${short(tagged)}`,
      `role ${short(head)}`,
      `whole ${short(head)}`,
      `start ${head.slice(0, 12)}`,
      `collection side ${short(await collection.git("rev-parse", "side"))}`,
      "alice.things 1.0.0",
    ]);
    await bench.repository.commit({
      "requirements.yml": `- { src: "git+${role.url}", version: nowhere }\n`,
    }, "A branch that does not exist");
    const lost = await bench.run(bench.plan());
    assert.deepEqual(lost.reason, {
      key: "errors.run.requirement_ref",
      params: { name: "role", version: "nowhere" },
    });
  },
});
