import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { hostsOf } from "../support/many_plays.ts";
import { addInventory, addPlays } from "../support/real_plays.ts";
import { addRealProject } from "../support/real_project.ts";

const FORGIVEN = `- hosts: all
  gather_facts: false
  tasks:
    - name: Ignored
      raw: "false"
      ignore_errors: true
    - name: Ignored in a loop
      raw: "{{ item }}"
      loop: ["true", "false"]
      ignore_errors: true
    - block:
        - name: Rescued
          fail: { msg: "rescue me" }
      rescue:
        - debug: { msg: "rescued" }
`;
const FAILING = `${FORGIVEN}    - name: Failing
      fail: { msg: "the reason" }
      when: inventory_hostname == "b"
`;

Deno.test("failures of an output are those that nothing ignored or rescued", async () => {
  await using project = await addRealProject();
  const inventory_id = await addInventory(project, hostsOf("a", "b"));
  const { repository_id } = await addPlays(project, {
    "site.yml": FORGIVEN,
    "failing.yml": FAILING,
  });
  const run = async (playbook: string) => {
    const body = { name: playbook, playbook, inventory_id, repository_id };
    const { task, log } = await project.run(await project.makeTemplate(body));
    const told = await project.get(`tasks/${task.id}/sections`);
    const failed = told.sections.filter((section: { failed: number }) => section.failed > 0);
    return { task, log: stripVTControlCharacters(log).split("\n"), told, failed };
  };
  const forgiven = await run("site.yml");
  assert.equal(forgiven.task.status, "success", forgiven.log.join("\n"));
  assert.deepEqual(forgiven.failed, []);
  assert.equal(forgiven.told.first_failure, null);
  const failing = await run("failing.yml");
  assert.equal(failing.task.status, "error");
  assert.equal(failing.failed.length, 1);
  assert.match(failing.failed[0].title, /^TASK \[Failing\]/);
  assert.match(failing.log[failing.told.first_failure - 1]!, /^fatal: \[b\].*the reason/);
});
