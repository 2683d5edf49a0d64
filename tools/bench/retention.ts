import { join } from "node:path";
import { rememberDue } from "../../lib/hosts/remember.ts";
import { sweepPast } from "../../lib/maintenance/retention/sweep.ts";
import { addTemplates } from "../../tests/support/world/many_templates.ts";
import { newWorld } from "../../tests/support/world/world.ts";
import { runTask } from "./finished_task.ts";
import { perSecond, type Row } from "./measure.ts";

const TASKS = 1_000;

/** Measures how fast retention removes tasks of one template, and of many with a few each. */
export async function* measureRetention(): AsyncGenerator<Row> {
  for (const templates of [1, 250]) yield await measure(templates);
}

async function measure(count: number): Promise<Row> {
  const directory = await Deno.makeTempDir({ prefix: "callboard_retention_" });
  const retention = { tasksPerTemplate: 1, taskDays: 0, eventDays: 0 };
  try {
    await using world = await newWorld({
      kvPath: join(directory, "callboard.kv"),
      config: { retention },
    });
    const templates = await addTemplates(world, count);
    for (let n = 0; n < TASKS; n++) await runTask(world, n, templates[n % count].id);
    await rememberDue(world.deps);
    const startedAt = performance.now();
    const { tasks } = await sweepPast(world.deps);
    const rate = perSecond(tasks, performance.now() - startedAt);
    return [`retention: tasks of ${count} templates`, { rate, note: `${tasks} removed` }];
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
