import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";

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

/** An undefined variable, the commonest mistake, in each part of an Ansible task. */
const UNDEFINED = `- hosts: all
  gather_facts: false
  vars:
    first: "{{ second }}"
    second: "{{ third }}"
    third: "{{ nowhere }}"
  tasks:
    - name: Arguments
      debug: { msg: "{{ first }}" }
      ignore_errors: true
    - name: Condition
      debug: { msg: "never" }
      when: first | bool
      ignore_errors: true
    - name: Loop
      debug: { msg: "{{ item }}" }
      loop: "{{ first }}"
      ignore_errors: true
    - name: Item
      debug: { msg: "{{ item }} {{ first }}" }
      loop: [1, 2]
      ignore_errors: true
    - name: Background
      command: "{{ first }}"
      async: 10
      poll: 1
      ignore_errors: true
    - name: Template
      template: { src: page.j2, dest: /nonexistent/page }
`;

const STYLES: Record<string, Record<string, string>> = {
  json: { ANSIBLE_FORCE_COLOR: "1" },
  serial: { ANSIBLE_CALLBACK_RESULT_FORMAT: "yaml", ANSIBLE_DISPLAY_FAILED_STDERR: "1" },
};

Deno.test("an undefined variable is found in the output, whatever is printed before it", async (t) => {
  await using project = await addRealProject();
  const inventory_id = await addInventory(project, hostsOf("a", "b"));
  const { repository_id } = await addPlays(project, {
    "site.yml": UNDEFINED,
    "serial.yml": UNDEFINED.replace("gather_facts", "serial: 1\n  gather_facts"),
    "page.j2": "{{ first }}",
  });
  for (const [style, env] of Object.entries(STYLES)) {
    await t.step(style, async () => {
      const playbook = style === "serial" ? "serial.yml" : "site.yml";
      const environment_id = await project.make("environment", {
        name: style,
        json: "{}",
        env: JSON.stringify(env),
      });
      const body = { name: style, playbook, inventory_id, repository_id, environment_id };
      const { task, log } = await project.run(await project.makeTemplate(body));
      const lines = stripVTControlCharacters(log).split("\n");
      assert.equal(task.status, "error", log);
      const { sections, first_failure } = await project.get(`tasks/${task.id}/sections`);
      const failed = sections.filter((section: { failed: number }) => section.failed > 0);
      assert.deepEqual(
        failed.map(({ title, failed }: { title: string; failed: number }) => [title, failed]),
        style === "serial" ? [["TASK [Template]", 1]] : [["TASK [Template]", 2]],
        log,
      );
      for (const line of [first_failure, task.failure_line]) {
        assert.match(lines[line - 1], /^fatal: \[[ab]\]: FAILED!/);
      }
      const results = await project.get(`tasks/${task.id}/results?status=failed,ignored`);
      assert.ok(results.length >= (style === "serial" ? 6 : 12), JSON.stringify(results));
      for (const { line, last_line, host } of results) {
        assert.ok(line !== null, `${host} has lines`);
        assert.match(lines.slice(line - 1, last_line).join("\n"), new RegExp(`\\[${host}\\]`));
      }
    });
  }
});
