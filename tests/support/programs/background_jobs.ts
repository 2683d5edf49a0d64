import assert from "node:assert/strict";
import { join } from "node:path";
import { hostsOf } from "./many_plays.ts";
import { addInventory, addPlays } from "./real_plays.ts";
import type { RealProject } from "./real_project.ts";

/** Waits for jobs in each way that Ansible has, and prints where their results were. */
const BACKGROUND_JOBS = `- hosts: all
  gather_facts: false
  tasks:
    - name: Waited for
      command: echo waited {{ inventory_hostname }}
      async: 60
      poll: 1
      register: waited
    - name: Begun
      shell: echo begun {{ inventory_hostname }}
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

/**
 * Runs jobs on these hosts, which are this machine, at the same time. Requires that each is found,
 * and that nothing is left of those in a folder of the run. A host may have chosen a folder for its
 * jobs instead. Returns the output.
 */
export async function runJobs(
  project: RealProject,
  chosen: Record<string, string | null>,
): Promise<string> {
  const { repository_id } = await addPlays(project, BACKGROUND_JOBS, "Jobs");
  const hosts = Object.keys(chosen);
  const lines = Object.entries(chosen).map(([host, folder]) =>
    folder === null
      ? hostsOf(host)
      : hostsOf(host).replace(/\n*$/, ` ansible_async_dir=${folder}\n`)
  );
  const template = await project.makeTemplate({
    name: "Jobs",
    repository_id,
    inventory_id: await addInventory(project, lines.join("")),
    arguments: `["--forks", "${hosts.length}"]`,
  });
  const { task, log } = await project.run(template);
  assert.equal(task.status, "success", log);
  for (const host of hosts) {
    const [, path] = new RegExp(`waited ${host}, begun ${host}, in (\\S+)\\.`).exec(log) ?? [];
    assert.ok(path, log);
    assert.ok(log.includes(`again begun ${host}.`), log);
    if (chosen[host] !== null) continue;
    assert.ok(path.startsWith(join(project.dataDir, "tasks", String(task.id))), path);
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  }
  const home = join(project.dataDir, "homes", String(project.id));
  const left = [...Deno.readDirSync(home)].map((entry) => entry.name);
  assert.ok(!left.includes(".ansible_async"), left.join());
  return log;
}
