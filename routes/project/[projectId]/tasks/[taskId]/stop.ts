import { stopTask } from "@/lib/queue/ending/stop.ts";
import { taskCommand } from "@/routes/(_pages)/tasks/command.ts";

export const handler = taskCommand(
  undefined,
  (scope, taskId, { force }) => stopTask(scope, taskId, force === "true"),
);
