import { noteForm } from "@/lib/approvals/schema.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { rejectTask } from "@/lib/queue/approvals/confirm.ts";
import { taskCommand } from "@/routes/(_pages)/tasks/command.ts";

// The task says which members may vote.
export const handler = taskCommand(
  undefined,
  (scope, id, form) => rejectTask(scope, id, parseWith(noteForm, form)),
);
