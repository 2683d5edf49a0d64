import assert from "node:assert/strict";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { until } from "@/tests/support/basics/until.ts";

async function newTemplate(project: RealProject, playbook: string) {
  const { repository_id } = await addPlays(project, playbook);
  const inventory_id = await addInventory(project, hostsOf("web", "db"));
  return await project.makeTemplate({ repository_id, inventory_id });
}

Deno.test("stored results of a run stay when its server is killed, and nothing follows", async () => {
  await using project = await addRealProject();
  const template = await newTemplate(
    project,
    `- hosts: all
  gather_facts: false
  tasks:
    - command: "true"
    - command: sleep 600
`,
  );
  const id = await project.startTask(template);
  const results = () => project.get(`tasks/${id}/results`);
  const playTasks = async () => (await project.get(`tasks/${id}/plays`))[0]?.tasks ?? [];
  // The results of the first task of the play are stored before the second one is announced.
  await until(async () => (await playTasks()).length === 2 && (await results()).length === 2);
  const before = await results();
  await project.restart("SIGKILL");
  const { task, log } = await project.ended(id);
  assert.equal(task.status, "error", log);
  assert.deepEqual(await results(), before);
  assert.deepEqual(
    (await playTasks()).map(({ counts }: { counts: unknown }) => counts),
    [{ changed: 2 }, {}],
  );
});
