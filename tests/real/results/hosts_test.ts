import assert from "node:assert/strict";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";
import { until } from "@/tests/support/basics/until.ts";

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - raw: "true"
    - fail: { msg: as told }
      when: inventory_hostname == "db" and fails | default(false) | bool
    - raw: sleep {{ seconds | default(0) }}
`;
/** An address without a listener. */
const GONE =
  "gone ansible_host=127.0.0.1 ansible_port=1 ansible_ssh_retries=0 ansible_connection=ssh\n";

interface Host {
  name: string;
  status: string;
  last_task_id: number;
  last_success_task_id: number | null;
  runs: { task_id: number; status: string; changed: number }[];
}

Deno.test("hosts have the results of real runs, also of one whose server was killed", async () => {
  await using project = await addRealProject();
  const { repository_id } = await addPlays(project, PLAY);
  const inventory_id = await addInventory(project, hostsOf("web", "db") + GONE);
  const template = await project.makeTemplate({
    repository_id,
    inventory_id,
  });
  const run = (vars: Record<string, unknown>) =>
    project.startTask(template, { environment: JSON.stringify(vars) });
  const said = async () => {
    const hosts: Host[] = await project.get("hosts");
    return hosts.map(({ name, status, last_task_id, last_success_task_id }) => [
      name,
      status,
      last_task_id,
      last_success_task_id,
    ]);
  };
  const first = await run({});
  await project.ended(first);
  await until(async () => (await said()).length === 3);
  assert.deepEqual(await said(), [
    ["db", "changed", first, first],
    ["gone", "unreachable", first, null],
    ["web", "changed", first, first],
  ]);

  const second = await run({ fails: true });
  await project.ended(second);
  await until(async () => (await said())[0][2] === second);
  assert.deepEqual((await said())[0], ["db", "failed", second, first]);
  const [failed, good] = await project.get("hosts/db/runs");
  assert.deepEqual([failed.changed, failed.failed, good.changed, good.failed], [1, 1, 2, 0]);
  assert.ok(Date.parse(failed.end) >= Date.parse(failed.start));

  const third = await run({ seconds: 600 });
  const results = () => project.get(`tasks/${third}/results?host=web`);
  await until(async () => (await results()).length > 0);
  await project.restart("SIGKILL");
  assert.equal((await project.ended(third)).task.status, "error");
  await until(async () => (await said())[2][2] === third);
  // It is known what the task did, and that it did not succeed.
  assert.deepEqual((await said())[2], ["web", "changed", third, second]);
});
