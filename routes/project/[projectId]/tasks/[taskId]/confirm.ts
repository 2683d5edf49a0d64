import { confirmForm } from "@/lib/approvals/schema.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { confirmTask } from "@/lib/queue/approvals/confirm.ts";
import { taskCommand } from "@/routes/(_pages)/tasks/command.ts";

// The task says which members may vote.
export const handler = taskCommand(
  undefined,
  (scope, id, { note, in_spite_of_failures }) =>
    confirmTask(
      scope,
      id,
      parseWith(confirmForm, { note, in_spite_of_failures: in_spite_of_failures === "true" }),
    ),
);
