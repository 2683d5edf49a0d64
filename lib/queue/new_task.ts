import { type Actor, starterOf } from "../access/actor.ts";
import { AppError, invalidField, type Message } from "../base/errors.ts";
import { keys } from "../kv/keys.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { checkAnswers } from "./answers.ts";
import { optionNames } from "./arguments.ts";
import { checkTaskArguments } from "./check_arguments.ts";
import { findTask, listTemplateTasks } from "../tasks/repository.ts";
import { type Given, parseStrings, type StartTaskForm, type TaskRow } from "../tasks/schema.ts";
import { nextVersion } from "./version.ts";

/** Who starts a task, as history will tell it. */
export interface Starter {
  actor: Actor;
  username: string | null;
  name: string | null;
  /**
   * Speaks for somebody who manages the project: may send other variables than the template's
   * survey asks for, and any arguments.
   */
  manages: boolean;
}

/** What a new task is made of besides what was sent. */
export interface Origin {
  template: TemplateRow;
  /** The branch of the template's repository. */
  repositoryBranch: string | null;
  /** The task that is started once more, where who starts it may change the template. */
  before: TaskRow | null;
}

/** A task that is not stored yet, and the secret answers that are kept beside it, sealed. */
interface NewTask {
  task: TaskRow;
  secretAnswers: Record<string, string>;
}

/** Builds the task with a copy of what it will run; throws 400 for what the template does not offer. */
export function newTask(
  id: number,
  origin: Origin,
  form: StartTaskForm,
  starter: Starter,
  now: Date,
): NewTask {
  const { template } = origin;
  const { debug, task_arguments, given } = checkOverrides(origin, form);
  const answers = checkAnswers(template.survey_vars, form.environment, form.secret, starter);
  const ownArguments = starter.manages ? null : task_arguments;
  if (ownArguments) checkTaskArguments(template, ownArguments);
  const { actor } = starter;
  const started_by = starterOf(actor);
  const task: TaskRow = {
    id,
    project_id: template.project_id,
    template_id: template.id,
    status: template.require_confirmation ? "waiting_confirmation" : "waiting",
    message: form.message ?? "",
    created: now.toISOString(),
    start: null,
    end: null,
    user_id: actor.kind === "user" ? actor.id : null,
    username: starter.username,
    user_name: starter.name,
    schedule_id: actor.kind === "schedule" ? actor.id : null,
    integration_id: actor.kind === "integration" ? actor.id : null,
    ...started_by && { started_by },
    ...copyOf(template),
    ...effectiveOf(template, given),
    given,
    environment: JSON.stringify(answers.open),
    has_secrets: Object.keys(answers.secret).length > 0,
    arguments: task_arguments,
    arguments_checked: ownArguments !== null,
    debug,
    dry_run: form.dry_run || (form.params?.dry_run ?? false),
    diff: form.diff || (form.params?.diff ?? false),
    version: null,
    build_task_id: null,
    incoming_version: null,
    commit_hash: form.commit_hash,
    commit_asked: form.commit_hash !== null,
    commit_message: null,
    stop: "",
    end_reason: null,
  };
  return { task, secretAnswers: answers.secret };
}

/**
 * What a task is given instead of what the template says, and what then holds. It may change only
 * what the template allows; the rest is refused. What is set anyway, or was given to the task that
 * is started once more, changes nothing.
 */
function checkOverrides({ template, repositoryBranch, before }: Origin, form: StartTaskForm) {
  const allowed = template.task_params ?? {};
  const fields: Record<string, Message> = {};
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

/** What a task keeps of its template. */
export const copyOf = (template: TemplateRow) => ({
  template_name: template.name,
  template_type: template.type,
  template_app: template.app,
  playbook: template.playbook,
  repository_id: template.repository_id,
  environment_id: template.environment_id,
  more_environment_ids: template.more_environment_ids,
  vaults: template.vaults,
  template_arguments: template.arguments,
  skip_galaxy_install: template.task_params?.skip_galaxy_install ?? false,
  environment_targets: template.survey_vars.filter(({ target }) => target === "env")
    .map(({ name }) => name),
  suppress_success_alerts: template.suppress_success_alerts,
});

/** What holds for a task: what it is given, else what its template says. */
export function effectiveOf(template: TemplateRow, given: Given) {
  const own = template.task_params ?? {};
  return {
    inventory_id: given.inventory_id ?? template.inventory_id ?? 0,
    git_branch: given.git_branch ?? template.git_branch,
    limit: orElse(given.limit, own.limit),
    tags: orElse(given.tags, own.tags),
    skip_tags: orElse(given.skip_tags, own.skip_tags),
  };
}

const orElse = (given: string[], own: string[] | undefined) => given.length > 0 ? given : own ?? [];

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

/**
 * Gives a build its version: taken in the same atomic as the task, so no two builds share one.
 * A number that was given out is never given out again, also when its build fails.
 */
export async function takeVersion(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  task: TaskRow,
  template: TemplateRow,
): Promise<TaskRow> {
  if (template.type !== "build") return task;
  if (template.start_version === null) {
    throw invalidField("template_id", "errors.templates.no_start_version", { name: template.name });
  }
  const last = await kv.get<string>(keys.buildVersion(task.project_id, template.id));
  const version = nextVersion(template.start_version, last.value);
  op.check(last).set(last.key, version);
  return { ...task, version };
}

/**
 * Gives a deploy its build: the one asked for, else the newest that succeeded. The task gets the
 * build's version and commit, whatever commit was asked for. Throws 400 when there is no such build.
 */
export async function attachBuild(
  kv: Deno.Kv,
  task: TaskRow,
  template: TemplateRow,
  buildTaskId: number | null,
): Promise<TaskRow> {
  if (template.type !== "deploy") return task;
  if (template.build_template_id === null) {
    throw invalidField("template_id", "errors.templates.no_build_template", {
      name: template.name,
    });
  }
  const source = buildTaskId === null
    ? await newestSuccess(kv, template)
    : await findTask(kv, template.project_id, buildTaskId);
  if (!source) throw invalidField("build_task_id", "errors.build_version_required");
  if (source.template_id !== template.build_template_id || source.status !== "success") {
    throw invalidField("build_task_id", "errors.not_a_build");
  }
  const deploy = {
    ...task,
    build_task_id: source.id,
    incoming_version: source.version ?? source.incoming_version,
  };
  if (source.repository_id !== task.repository_id || source.commit_hash === null) return deploy;
  const { commit_hash, commit_message } = source;
  return { ...deploy, commit_hash, commit_message, commit_asked: false };
}

/** The newest task of the build template (or, in a chain, deploy template) that succeeded. */
async function newestSuccess(kv: Deno.Kv, template: TemplateRow): Promise<TaskRow | null> {
  const { project_id: projectId, build_template_id: sourceId } = template;
  if (sourceId === null) return null;
  const [newest] = await listTemplateTasks(kv, projectId, sourceId, { limit: 1, built: true });
  return newest ?? null;
}
