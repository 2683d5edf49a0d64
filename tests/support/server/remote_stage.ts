import { readLog } from "@/lib/output/store.ts";
import { newQueue, type Queue } from "./queue.ts";
import { newTestRunner } from "@/tests/support/world/test_runner.ts";
import type { WorldOptions } from "@/tests/support/world/world.ts";

/** Creates a queue with a runner, and a template that needs its label. */
export async function newRemoteStage(
  fields: Record<string, unknown> = {},
  options: WorldOptions = {},
) {
  const queue = await newQueue(options);
  const template = await queue.makeTemplate({ runner_tag: "dmz", ...fields });
  const runner = await newTestRunner(queue.world);
  queue.dispatch();
  return { queue, template, runner, world: queue.world };
}

/** Returns the stored output of a task. */
export async function linesOf({ world }: Queue, id: number): Promise<string[]> {
  const lines = [];
  for await (const records of readLog(world.kv, id)) {
    for (const { output } of records) lines.push(output);
  }
  return lines;
}

export const statusOf = async (queue: Queue, id: number) => (await queue.row(id)).status;
