import type { TemplateView } from "../templates/schema.ts";
import { parseStrings } from "../tasks/start_form.ts";
import { optionNames } from "./arguments.ts";

/** Values that a task may choose instead of its template's. */
type Override =
  | "inventory_id"
  | "git_branch"
  | "limit"
  | "tags"
  | "skip_tags"
  | "arguments"
  | "debug";

type Allowing = Pick<TemplateView, "arguments" | "allow_override_args_in_task" | "task_params"> & {
  allow_override_branch_in_task?: boolean;
};

/** Returns which of its settings a template lets each task choose. */
export function allowancesOf(template: Allowing): Record<Override, boolean> {
  const switches = template.task_params ?? {};
  return {
    inventory_id: switches.allow_override_inventory ?? false,
    git_branch: mayChooseBranch(template),
    // If the template sets no limit, a task's limit can only reduce its hosts.
    limit: switches.allow_override_limit || !setsLimit(template),
    tags: switches.allow_override_tags ?? false,
    skip_tags: switches.allow_override_skip_tags ?? false,
    arguments: template.allow_override_args_in_task,
    debug: switches.allow_debug !== false,
  };
}

/** Whether a task may choose its branch. Clients know this permission by three names. */
export const mayChooseBranch = ({ allow_override_branch_in_task, task_params }: Allowing) =>
  Boolean(
    allow_override_branch_in_task || task_params?.allow_override_branch ||
      task_params?.allow_override_git_branch,
  );

/** Whether the template has a limit of its own, which a task's limit would replace. */
const setsLimit = ({ task_params, arguments: text }: Allowing): boolean =>
  (task_params?.limit ?? []).length > 0 ||
  (optionNames(parseStrings(text ?? "[]") ?? [])?.has("limit") ?? true);
