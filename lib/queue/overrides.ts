import { AppError, type Sentence } from "../base/errors.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { allowancesOf } from "./allowances.ts";
import type { Given, TaskRow } from "../tasks/schema.ts";
import { parseStrings, type StartTaskForm } from "../tasks/start_form.ts";

/** Context in which a new task is created, besides its form. */
export interface Origin {
  template: TemplateRow;
  /** The branch of the template's repository. */
  repositoryBranch: string | null;
  /** The task that is repeated, if its starter may change the template. */
  before: TaskRow | null;
}

/**
 * Returns the values that override the template's. Throws 400 for overrides that the template does
 * not allow. A value that equals the template's, or that of the repeated task, is always allowed.
 */
export function checkOverrides(
  { template, repositoryBranch, before }: Origin,
  form: StartTaskForm,
) {
  const own = template.task_params ?? {};
  const allowed = allowancesOf(template);
  const fields: Record<string, Sentence> = {};
  const refuse = (field: string) =>
    fields[field] = { key: "errors.not_allowed_by_template", params: { field } };
  type Value = string | number | boolean | string[] | null;
  const check = <T extends Value>(
    field: string,
    sent: T,
    may: boolean,
    ...same: (T | null)[]
  ): T => {
    const isSame = (value: T | null) => value !== null && String(value) === String(sent);
    if (sent !== null && !may && !same.some(isSame)) refuse(field);
    return sent;
  };
  const was = before && (before.given ?? before);
  const list = (field: "limit" | "tags" | "skip_tags") => {
    const sent = form[field].length > 0 ? form[field] : form.params?.[field] ?? [];
    if (sent.length > 0) check(field, sent, allowed[field], own[field] ?? [], was?.[field] ?? []);
    return sent;
  };
  const given: Given = {
    inventory_id: check(
      "inventory_id",
      form.inventory_id,
      allowed.inventory_id,
      template.inventory_id,
      was?.inventory_id ?? null,
    ),
    git_branch: check(
      "git_branch",
      form.git_branch,
      allowed.git_branch,
      template.git_branch ?? repositoryBranch,
      was?.git_branch ?? null,
    ),
    limit: list("limit"),
    tags: list("tags"),
    skip_tags: list("skip_tags"),
  };
  const ownArguments = canonical(template.arguments);
  const sent = canonical(form.arguments);
  check(
    "arguments",
    sent,
    allowed.arguments,
    ownArguments,
    canonical(before?.arguments ?? null),
  );
  check("playbook", form.playbook, false, template.playbook);
  const debug = form.debug || (form.params?.debug ?? false);
  if (debug) check("debug", true, allowed.debug, before?.debug ?? false);
  const [first] = Object.values(fields);
  if (first) throw new AppError(400, first.key, first.params, { fields });
  return {
    debug,
    given,
    // The template's arguments are put before the task's, so equal ones must not be repeated.
    task_arguments: sent === ownArguments ? null : form.arguments,
  };
}

/** Returns arguments independent of their spacing; null for none. */
const canonical = (text: string | null) => text && JSON.stringify(parseStrings(text));
