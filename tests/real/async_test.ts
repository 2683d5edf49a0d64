import assert from "node:assert/strict";
import { join } from "node:path";
import { BACKGROUND_JOBS } from "../support/background_jobs.ts";
import { hostsOf } from "../support/many_plays.ts";
import { addInventory, addPlays } from "../support/real_plays.ts";
import { addRealProject } from "../support/real_project.ts";

Deno.test("folders for jobs that somebody has chosen are taken", async () => {
  await using project = await addRealProject();
  const { repository_id } = await addPlays(project, BACKGROUND_JOBS);
  const chosen = join(project.home, "jobs");
  const host = (name: string, folder: string) =>
    hostsOf(name).replace(/\n*$/, ` ansible_async_dir=${folder}\n`);
  const template = await project.makeTemplate({
    repository_id,
    inventory_id: await addInventory(project, host("a", chosen) + host("b", "~/jobs")),
  });
  const { task, log } = await project.run(template);
  assert.equal(task.status, "success", log);
  const home = join(project.dataDir, "homes", String(project.id));
  assert.ok(log.includes(`waited a, begun a, in ${chosen}/`), log);
  assert.ok(log.includes(`waited b, begun b, in ${home}/jobs/`), log);
});
