import assert from "node:assert/strict";
import { followResults } from "./follow_results.ts";
import { createResultWriter } from "./writer.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("results of a preview are published immediately, like those of the real execution", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const preview = createResultWriter({
    ...world.deps,
    projectId: world.web.id,
    taskId: run.id,
    output: run.output,
    isPreview: true,
  });
  const sent = followResults(await run.scope(), run.id, AbortSignal.timeout(20_000));
  assert.equal((await sent.next()).done, false, "at first");
  for (const event of [play("All"), task("a"), result("a", "web")]) await preview.take(event);
  await preview.flush();
  assert.equal((await sent.next()).done, false, "of the preview");
  await run.report(play("All"), task("a"), result("a", "web"));
  await run.flush();
  assert.equal((await sent.next()).done, false, "of the run");
  await sent.return(undefined);
});
