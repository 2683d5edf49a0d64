import assert from "node:assert/strict";
import { join } from "node:path";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";
import { until } from "@/tests/support/basics/until.ts";

const HOSTS = Array.from({ length: 50 }, (_, n) => `web${n + 1}`);
const FLAKY = ["web3", "web8", "web14", "web21", "web30", "web37", "web50"];

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - name: Count
      raw: echo run >> {{ counts }}/{{ inventory_hostname }}
    - name: Roll out
      raw: test "$(wc -l < {{ counts }}/{{ inventory_hostname }})" -ge {{ needed }}
`;

Deno.test("7 of 50 hosts that fail twice are fine at the third attempt, and no other runs again", async () => {
  await using project = await addRealProject();
  const counts = join(project.home, "counts");
  await Deno.mkdir(counts);
  const { repository_id, commit } = await addPlays(project, PLAY);
  const lines = HOSTS.map((name) =>
    `${name} ansible_connection=local needed=${FLAKY.includes(name) ? 3 : 1}`
  );
  const inventory_id = await addInventory(
    project,
    `${lines.join("\n")}
[all:vars]
counts=${counts}
ansible_python_interpreter={{ansible_playbook_python}}
`,
  );
  const template = await project.makeTemplate({
    repository_id,
    inventory_id,
    retry_attempts: 5,
    retry_minutes: 0,
    arguments: '["--forks","25"]',
  });
  const { task: first, log } = await project.run(template);
  assert.equal(first.status, "error", log);
  const followed = async (id: number) => {
    await until(async () => (await project.getTask(id)).next_attempt_id !== null);
    return (await project.ended((await project.getTask(id)).next_attempt_id)).task;
  };
  const second = await followed(first.id);
  const third = await followed(second.id);
  assert.deepEqual(
    [first, second, third].map(({ attempt, attempts, status }) => [attempt, attempts, status]),
    [[1, 6, "error"], [2, 6, "error"], [3, 6, "success"]],
  );
  assert.equal(third.commit_hash, commit);
  assert.deepEqual([third.next_retry, third.next_attempt_id], [null, null]);
  for (const host of HOSTS) {
    const runs = (await Deno.readTextFile(join(counts, host))).trim().split("\n").length;
    assert.equal(runs, FLAKY.includes(host) ? 3 : 1, host);
  }
  const stats = await project.get(`templates/${template}/stats`);
  assert.deepEqual(stats[0].count_by_status, { success: 1 });
});
