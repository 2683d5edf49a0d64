import { AppError, type Sentence } from "../base/errors.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { optionNames } from "./arguments.ts";
import type { Given, TaskRow } from "../tasks/schema.ts";
import { parseStrings, type StartTaskForm } from "../tasks/start_form.ts";

/** What a new task is made of besides what was sent. */
export interface Origin {
  template: TemplateRow;
  /** The branch of the template's repository. */
  repositoryBranch: string | null;
  /** The task that is started once more, where who starts it may change the template. */
  before: TaskRow | null;
}

/**
 * What a task is given instead of what the template says. It may change only what the template
 * allows; the rest is refused. What is set anyway, or was given to the task that is started once
 * more, changes nothing.
 */
export function checkOverrides(
  { template, repositoryBranch, before }: Origin,
  form: StartTaskForm,
) {
  const allowed = template.task_params ?? {};
  const fields: Record<string, Sentence> = {};
  const refuse = (field: string) =>
    fields[field] = { key: "errors.not_allowed_by_template", params: { field } };
  type Value = string | number | boolean | string[] | null;
  const check = <T extends Value>(
    field: string,
    sent: T,
    may: boolean | undefined,
    ...same: (T | null)[]
  ): T => {
    const isSame = (value: T | null) => value !== null && String(value) === String(sent);
    if (sent !== null && !may && !same.some(isSame)) refuse(field);
    return sent;
  };
  const was = before && (before.given ?? before);
  const list = (field: "limit" | "tags" | "skip_tags", may: boolean | undefined) => {
    const sent = form[field].length > 0 ? form[field] : form.params?.[field] ?? [];
    if (sent.length > 0) check(field, sent, may, allowed[field] ?? [], was?.[field] ?? []);
    return sent;
  };
  const given: Given = {
    inventory_id: check(
      "inventory_id",
      form.inventory_id,
      allowed.allow_override_inventory,
      template.inventory_id,
      was?.inventory_id ?? null,
    ),
    git_branch: check(
      "git_branch",
      form.git_branch,
      mayOverrideBranch(template),
      template.git_branch ?? repositoryBranch,
      was?.git_branch ?? null,
    ),
    // Where the template sets no limit, one can only make fewer of its hosts.
    limit: list("limit", allowed.allow_override_limit || !setsLimit(template)),
    tags: list("tags", allowed.allow_override_tags),
    skip_tags: list("skip_tags", allowed.allow_override_skip_tags),
  };
  const own = canonical(template.arguments);
  const sent = canonical(form.arguments);
  check(
    "arguments",
    sent,
    template.allow_override_args_in_task,
    own,
    canonical(before?.arguments ?? null),
  );
  check("playbook", form.playbook, false, template.playbook);
  const debug = form.debug || (form.params?.debug ?? false);
  if (debug) check("debug", true, allowed.allow_debug !== false, before?.debug ?? false);
  const [first] = Object.values(fields);
  if (first) throw new AppError(400, first.key, first.params, { fields });
  return {
    debug,
    given,
    // The template's arguments come in front of the task's: the same ones must not come twice.
    task_arguments: sent === own ? null : form.arguments,
  };
}

/** Arguments however they are spaced; null for none. */
const canonical = (text: string | null) => text && JSON.stringify(parseStrings(text));

/** Clients know the same permission by three names. */
const mayOverrideBranch = ({ allow_override_branch_in_task, task_params }: TemplateRow) =>
  allow_override_branch_in_task || task_params?.allow_override_branch ||
  task_params?.allow_override_git_branch;

/** Whether the template has a limit of its own, which a task's would replace. */
const setsLimit = ({ task_params, arguments: text }: TemplateRow): boolean =>
  (task_params?.limit ?? []).length > 0 ||
  (optionNames(parseStrings(text ?? "[]") ?? [])?.has("limit") ?? true);
