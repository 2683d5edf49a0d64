import assert from "node:assert/strict";
import { textOf } from "@/tests/support/basics/html.ts";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";

/**
 * Two Ansible tasks with the same name, one in a loop, and one whose name and duration depend on an
 * answer.
 */
const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - name: Look
      raw: "true"
    - name: Each
      raw: echo {{ item }}
      loop: [a, b]
    - name: Look
      fail: { msg: no space left on it }
      when: inventory_hostname == "db" and fails | default(false) | bool
    - name: Wait {{ seconds }}s
      raw: sleep {{ seconds }}
    - name: After all
      raw: "true"
`;

Deno.test("two real runs are compared: where one failed, what took longer, in any version of the play", async () => {
  await using project = await addRealProject();
  const { git, repository_id } = await addPlays(project, PLAY);
  const inventory_id = await addInventory(project, hostsOf("web", "db", "cache"));
  const template = await project.makeTemplate({ repository_id, inventory_id });
  const run = async (vars: Record<string, unknown>) =>
    (await project.run(template, { environment: JSON.stringify(vars) })).task;
  const partsOf = async (a: number) => {
    const path = `/project/${project.id}/templates/${template}/compare?a=${a}`;
    const { server } = project;
    const answer = await fetch(new URL(path, server.url), { headers: { Cookie: server.cookie } });
    const html = await answer.text();
    const part = (id: string) =>
      textOf(new RegExp(`<section id="${id}".*?</section>`, "s").exec(html)![0]);
    return { results: part("compare-results"), durations: part("compare-durations") };
  };

  const good = await run({ seconds: 0 });
  assert.equal(good.status, "success");
  const bad = await run({ seconds: 3, fails: true });
  assert.equal(bad.status, "error");
  const failed = await partsOf(bad.id);
  assert.match(failed.results, /Ansible tasks had different results on 1 of 3 hosts\./);
  assert.match(failed.results, /db Look ✗ failed – skipped no space left on it/);
  assert.match(
    failed.results,
    new RegExp(`2 Ansible tasks ran only in #${good.id}, the first one: Wait 0s`),
  );
  assert.match(failed.durations, /Wait 3s \d\S*s 2 hosts \S+s 3 hosts \+\d/);

  await git.commit({ "site.yml": PLAY.replace("tasks:", "tasks:\n    # Moved.\n\n") }, "Moved");
  const moved = await partsOf((await run({ seconds: 0 })).id);
  assert.match(moved.results, /All Ansible tasks had the same result on 3 hosts\./);
});
