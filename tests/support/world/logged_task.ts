import { createLogWriter } from "@/lib/output/writer.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import type { World } from "./world.ts";

/** Creates a running task with this many lines, without running anything. */
export async function loggedTask(world: World, lines: number) {
  const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.deploy.id,
  });
  const task = { id: body.id as number, project_id: world.web.id };
  await advance(world.kv, task, "starting");
  await advance(world.kv, task, "running");
  const writer = createLogWriter({ ...world.deps, projectId: task.project_id, taskId: task.id });
  const print = async (...texts: string[]) => {
    for (const text of texts) await writer.write(text);
    await writer.flush();
  };
  const write = async (from: number, to: number) => {
    for (let n = from; n <= to; n++) await writer.write(`this is line ${n}`);
    await writer.flush();
  };
  await write(1, lines);
  return {
    id: task.id,
    path: `/project/${task.project_id}/tasks/${task.id}`,
    print,
    write,
    /** Ends it with an error that a line reports. */
    fail: (failure_line: number, more: Partial<TaskRow> = {}) =>
      advance(world.kv, task, "error", { failure_line, ...more }, {
        also: (op) => writer.close(op),
      }),
    end: () => advance(world.kv, task, "success", {}, { also: (op) => writer.close(op) }),
  };
}
