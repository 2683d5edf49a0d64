import assert from "node:assert/strict";
import { join } from "node:path";
import { ISOLATION_CASES } from "../support/isolation_modes.ts";
import { hostsOf } from "../support/many_plays.ts";
import { addInventory, addPlays } from "../support/real_plays.ts";
import { newRealProject } from "../support/real_project.ts";

/** Waits for jobs in each way that Ansible has, and prints where their results were. */
const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - name: Waited for
      command: echo waited {{ inventory_hostname }}
      async: 60
      poll: 1
      register: waited
    - name: Begun
      shell: sleep 1; echo begun {{ inventory_hostname }}
      async: 60
      poll: 0
      register: begun
    - name: Asked for
      async_status: { jid: "{{ begun.ansible_job_id }}" }
      register: asked
      until: asked.finished | bool
      retries: 60
      delay: 1
    - debug: { msg: "{{ waited.stdout }}, {{ asked.stdout }}, in {{ asked.results_file }}." }
- hosts: all
  gather_facts: false
  tasks:
    - name: Asked for again, by another play
      async_status: { jid: "{{ begun.ansible_job_id }}" }
      connection: ansible.builtin.local
      register: again
    - debug: { msg: "again {{ again.stdout }}." }
`;

const HOSTS = ["a", "b", "c", "d"];
const FORKS = `["--forks", "4"]`;

for (const { name, options, ignore } of ISOLATION_CASES) {
  Deno.test({
    name: `jobs in the background of this machine are found, and gone with the run: ${name}`,
    ignore,
    async fn() {
      await using project = await newRealProject(options);
      const { repository_id } = await addPlays(project, PLAY);
      const template = await project.makeTemplate({
        repository_id,
        inventory_id: await addInventory(project, hostsOf(...HOSTS)),
        arguments: FORKS,
      });
      const { task, log } = await project.run(template);
      assert.equal(task.status, "success", log);
      for (const host of HOSTS) {
        assert.ok(log.includes(`waited ${host}, begun ${host}, in `), log);
        assert.ok(log.includes(`again begun ${host}.`), log);
      }
      for (const [, path] of log.matchAll(/, in (\S+)\./g)) {
        assert.ok(path!.startsWith(join(project.dataDir, "tasks", String(task.id))), path);
        await assert.rejects(Deno.stat(path!), Deno.errors.NotFound);
      }
      const home = join(project.dataDir, "homes", String(project.id));
      const left = [...Deno.readDirSync(home)].map((entry) => entry.name);
      assert.ok(!left.includes(".ansible_async"), left.join());
    },
  });
}

Deno.test("a folder for jobs that somebody has chosen is taken", async () => {
  await using project = await newRealProject();
  const { repository_id } = await addPlays(project, PLAY);
  const template = async (variables: string) =>
    await project.makeTemplate({
      name: variables,
      repository_id,
      inventory_id: await addInventory(project, hostsOf("a").replace(/\n*$/, ` ${variables}\n`)),
    });
  const chosen = join(project.home, "jobs");
  const there = await project.run(await template(`ansible_async_dir=${chosen}`));
  assert.equal(there.task.status, "success", there.log);
  assert.ok(there.log.includes(`, in ${chosen}/`), there.log);
  const atHome = await project.run(await template("ansible_async_dir=~/jobs"));
  assert.equal(atHome.task.status, "success", atHome.log);
  const home = join(project.dataDir, "homes", String(project.id));
  assert.ok(atHome.log.includes(`, in ${home}/jobs/`), atHome.log);
});
