import { grants } from "../../access/permissions.ts";
import type { KeptPlan } from "../../execution/run/plan.ts";
import { AppError, invalidField, type Sentence } from "../../base/errors.ts";
import type { TaskParams } from "../../templates/params.ts";
import type { TemplateRow, TemplateView } from "../../templates/schema.ts";
import type { Given, TaskRow } from "../../model/task_row.ts";
import type { ChoiceLists } from "../../surveys/choices.ts";
import { parseStrings, type StartTaskForm } from "../../tasks/start_form.ts";
import { limitProblem } from "../../execution/ansible/results/fields.ts";
import { limitsIn, optionNames, readTaskArguments } from "./arguments.ts";

/** Values that a task may choose instead of its template's. */
type Override =
  | "inventory_id"
  | "git_branch"
  | "limit"
  | "tags"
  | "skip_tags"
  | "arguments"
  | "skip_galaxy_install"
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
    skip_galaxy_install: switches.allow_override_skip_galaxy_install ?? false,
  };
}

/**
 * Returns which of its settings a template lets a task of a person with these permissions choose.
 */
export const allowancesFor = (
  { permissions }: { permissions: number },
  template: Allowing,
): Record<Override, boolean> =>
  grants(permissions, "override_runs") ? allowancesOf(template) : NOTHING;

const NOTHING: Record<Override, boolean> = {
  inventory_id: false,
  git_branch: false,
  limit: false,
  tags: false,
  skip_tags: false,
  arguments: false,
  debug: false,
  skip_galaxy_install: false,
};

/** Whether a task may choose its branch. Clients know this permission by three names. */
export const mayChooseBranch = ({ allow_override_branch_in_task, task_params }: Allowing) =>
  Boolean(
    allow_override_branch_in_task || task_params?.allow_override_branch ||
      task_params?.allow_override_git_branch,
  );

/** Whether the template has a limit of its own, which a task's limit would replace. */
export const setsLimit = ({ task_params, arguments: text }: Allowing): boolean =>
  (task_params?.limit ?? []).length > 0 ||
  (ownOptions(text)?.has("limit") ?? true);

/** Returns the options in a template's arguments; null if they cannot be parsed. */
const ownOptions = (text: string | null) => optionNames(parseStrings(text ?? "[]") ?? []);

/** Context in which a new task is created, besides its form. */
export interface Origin {
  template: TemplateRow;
  /** The branch of the template's repository. */
  repositoryBranch: string | null;
  /** Labels that the task's runner must have. */
  labels: string[];
  /** Whether the task's runner must know several keys. */
  several_keys?: boolean;
  /** Paths that are kept between runs. */
  keeps?: KeptPlan[];
  /** The task that is repeated, if its starter may change the template. */
  before: TaskRow | null;
  /** Current choices of the survey's questions. */
  lists: ChoiceLists;
  /** Whether it runs only on hosts of the task that it repeats, whatever its limit is. */
  isRetry?: boolean;
}

/**
 * Returns the values that override the template's. Throws 400 for overrides that the template or
 * the rights of the starter do not allow. A value that equals the template's, or that of the
 * repeated task, is always allowed.
 */
export function validateOverrides(
  { template, repositoryBranch, before, isRetry = false }: Origin,
  form: StartTaskForm,
  { manages, permissions }: { manages: boolean; permissions: number },
) {
  const own = template.task_params ?? {};
  const allowed = allowancesFor({ permissions }, template);
  const fields: Record<string, Sentence> = {};
  const mayOverride = grants(permissions, "override_runs");
  const key = mayOverride ? "errors.not_allowed_by_template" : "errors.may_not_override";
  const refuse = (field: string) => fields[field] = { key, params: { field } };
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
  const was = before?.given ?? null;
  const list = (field: "limit" | "tags" | "skip_tags") => {
    const sent = form[field];
    const may = allowed[field] || isRetry && field === "limit";
    if (sent.length > 0) check(field, sent, may, own[field] ?? [], was?.[field] ?? []);
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
      template.git_branch || repositoryBranch,
      was?.git_branch ?? null,
    ),
    limit: list("limit"),
    tags: list("tags"),
    skip_tags: list("skip_tags"),
  };
  const ownArguments = canonical(template.arguments);
  const task_arguments = form.arguments?.words.length ? form.arguments : null;
  const sent = task_arguments && JSON.stringify(task_arguments.words);
  const repeated = canonical(before?.arguments ?? null);
  check("arguments", sent, allowed.arguments, ownArguments, repeated);
  check("playbook", form.playbook, false, template.playbook);
  check("commit_hash", form.commit_hash, mayOverride || isRetry, before?.commit_hash ?? null);
  const isAllowed = allowed.skip_galaxy_install;
  const skips = skipsRequirements(form, template, { was, manages, isAllowed, refuse });
  if (skips !== null) given.skip_galaxy_install = skips;
  if (form.debug) check("debug", true, allowed.debug, before?.debug ?? false);
  const [first] = Object.values(fields);
  if (first) throw new AppError(400, first.key, first.params, { fields });
  return {
    given,
    // The template's arguments are put before the task's, so equal ones must not be repeated.
    task_arguments: sent === ownArguments ? null : task_arguments,
  };
}

interface Context {
  was: Pick<Given, "skip_galaxy_install"> | null;
  manages: boolean;
  isAllowed: boolean;
  refuse(field: string): void;
}

/** Returns whether a task leaves requirements out; null for as in its template. */
function skipsRequirements(
  { skip_galaxy_install: sent, force_galaxy_install: isForced }: StartTaskForm,
  template: TemplateRow,
  { was, manages, isAllowed, refuse }: Context,
): boolean | null {
  if (isForced && !isAllowed && !manages) refuse("force_galaxy_install");
  if (sent === null || isAllowed || sent && was?.skip_galaxy_install) return sent;
  // Clients send false for "not set".
  if (sent && !template.task_params?.skip_galaxy_install) refuse("skip_galaxy_install");
  return null;
}

/** Returns arguments independent of their spacing; null for none. */
const canonical = (text: string | null) => text && JSON.stringify(parseStrings(text));

/**
 * Throws 400 for a limit that names no hosts, also from the arguments of a template or a task.
 * Files of hosts are a choice of people who manage the project.
 */
export function requireLimits(
  { limit, template_arguments, arguments: text }: Pick<
    TaskRow,
    "limit" | "template_arguments" | "arguments"
  >,
): void {
  const isEmpty = (text: string) => limitProblem(text) === "errors.limit_pattern";
  const words = [template_arguments, text].flatMap((json) => parseStrings(json ?? "[]") ?? []);
  if (limitsIn(words).some(isEmpty)) throw invalidField("arguments", "errors.limit_pattern");
  if (limit.length > 0 && isEmpty(limit.join(","))) {
    throw invalidField("limit", "errors.limit_pattern");
  }
}

/** Options that would override the template's own, and the template's setting that allows it. */
const OVERRULING: [name: string, own: (params: TaskParams) => string[], may: keyof TaskParams][] = [
  ["limit", ({ limit = [] }) => limit, "allow_override_limit"],
  ["tags", ({ tags = [] }) => tags, "allow_override_tags"],
  ["start-at-task", () => [], ""],
];

/**
 * Checks arguments of a person who may only run tasks. Throws 400 for arguments that the template
 * does not allow.
 */
export function validateTaskArguments(template: TemplateRow, words: string[]): void {
  const { variables, options: given } = readTaskArguments(words);
  const own = ownOptions(template.arguments);
  const params = template.task_params ?? {};
  const refuse = (key: string, data: Record<string, string>) =>
    invalidField("arguments", key, data);
  for (const [name, ownOf, may] of OVERRULING) {
    const isSet = ownOf(params).length > 0 || own === null || own.has(name);
    if (given.has(name) && isSet && params[may] !== true) {
      throw refuse("errors.arguments.set_by_template", { option: `--${name}` });
    }
  }
  if (given.has("verbose") && params.allow_debug === false) {
    throw refuse("errors.arguments.set_by_template", { option: "--verbose" });
  }
  const answer = template.survey_vars.find(({ name }) => Object.hasOwn(variables, name));
  if (answer) throw refuse("errors.arguments.is_answer", { name: answer.name });
}
