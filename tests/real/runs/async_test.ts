import assert from "node:assert/strict";
import { join } from "node:path";
import { runJobs } from "@/tests/support/programs/background_jobs.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";

Deno.test("jobs in the background are found, and gone with the run but in folders that someone has chosen", async () => {
  await using project = await addRealProject();
  const chosen = join(project.home, "jobs");
  const log = await runJobs(project, { a: null, b: chosen, c: "~/jobs" });
  const home = join(project.dataDir, "homes", String(project.id));
  assert.ok(log.includes(`waited b, begun b, in ${chosen}/`), log);
  assert.ok(log.includes(`waited c, begun c, in ${home}/jobs/`), log);
});
