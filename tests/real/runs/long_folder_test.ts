import assert from "node:assert/strict";
import { join } from "node:path";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { newRealProject } from "@/tests/support/programs/real_project.ts";

Deno.test("tasks run in a data folder whose path is too long for sockets", async () => {
  await using project = await newRealProject({ folder: "a-long-name/".repeat(8) + "data" });
  const { repository_id } = await addPlays(
    project,
    "- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.ping:\n",
  );
  const environment_id = await project.make("environment", { name: "None", json: "{}" });
  const template = await project.makeTemplate({ repository_id, environment_id });
  const { task, log } = await project.run(template);
  assert.equal(task.status, "success", log);
  const results = await project.get(`tasks/${task.id}/results`);
  assert.equal(results.length, 1, "no results were told");
  assert.deepEqual([...Deno.readDirSync(join(project.dataDir, "tasks"))], []);
});
