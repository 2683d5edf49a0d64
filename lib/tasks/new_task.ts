import type { Actor } from "../access/actor.ts";
import { AppError, invalidField, type Message } from "../errors.ts";
import { keys } from "../kv/keys.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { checkAnswers } from "./answers.ts";
import { checkTaskArguments } from "./check_arguments.ts";
import { findTask, listTemplateTasks } from "./repository.ts";
import type { StartTaskForm, TaskRow } from "./schema.ts";
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

/** A task that is not stored yet, and the secret answers that are kept beside it, sealed. */
export interface NewTask {
  task: TaskRow;
  secretAnswers: Record<string, string>;
}

/** Builds the task with a copy of what it will run; throws 400 for what the template does not offer. */
export function newTask(
  id: number,
  template: TemplateRow,
  form: StartTaskForm,
  starter: Starter,
  now: Date,
): NewTask {
  const overrides = checkOverrides(template, form);
  const answers = checkAnswers(template.survey_vars, form.environment, form.secret, starter);
  const ownArguments = starter.manages || form.arguments === template.arguments
    ? null
    : form.arguments;
  if (ownArguments) checkTaskArguments(template, ownArguments);
  const { actor } = starter;
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
    ...actor.kind !== "user" && actor.name && {
      started_by: { kind: actor.kind, name: actor.name },
    },
    template_name: template.name,
    template_type: template.type,
    playbook: template.playbook,
    repository_id: template.repository_id,
    inventory_id: overrides.inventoryId,
    environment_id: template.environment_id,
    vaults: template.vaults,
    template_arguments: template.arguments,
    skip_galaxy_install: template.task_params?.skip_galaxy_install ?? false,
    environment_targets: template.survey_vars.filter(({ target }) => target === "env")
      .map(({ name }) => name),
    suppress_success_alerts: template.suppress_success_alerts,
    environment: JSON.stringify(answers.open),
    has_secrets: Object.keys(answers.secret).length > 0,
    arguments: form.arguments,
    arguments_checked: ownArguments !== null,
    limit: overrides.limit,
    tags: overrides.tags,
    skip_tags: overrides.skipTags,
    git_branch: overrides.branch,
    debug: overrides.debug,
    dry_run: form.dry_run || (form.params?.dry_run ?? false),
    diff: form.diff || (form.params?.diff ?? false),
    version: null,
    build_task_id: null,
    incoming_version: null,
    commit_hash: null,
    commit_message: null,
    stop: "",
    end_reason: null,
  };
  return { task, secretAnswers: answers.secret };
}

/** What a task may change of its template: only what the template allows; the rest is refused. */
function checkOverrides(template: TemplateRow, form: StartTaskForm) {
  const allowed = template.task_params ?? {};
  const fields: Record<string, Message> = {};
  const refuse = (field: string) => fields[field] = { key: "errors.not_allowed_by_template" };
  const pick = <T>(field: string, sent: T | null, own: T, may: boolean | undefined): T => {
    if (sent === null || String(sent) === String(own)) return own;
    if (!may) refuse(field);
    return sent;
  };
  const list = (field: string, sent: string[], own: string[] | undefined, may?: boolean) =>
    pick(field, sent.length > 0 ? sent : null, own ?? [], may);
  const { params } = form;
  const result = {
    inventoryId: pick(
      "inventory_id",
      form.inventory_id,
      template.inventory_id ?? 0,
      allowed.allow_override_inventory,
    ),
    branch: pick(
      "git_branch",
      form.git_branch,
      template.git_branch,
      allowed.allow_override_branch,
    ),
    limit: list(
      "limit",
      form.limit.length > 0 ? form.limit : params?.limit ?? [],
      allowed.limit,
      allowed.allow_override_limit,
    ),
    tags: list(
      "tags",
      form.tags.length > 0 ? form.tags : params?.tags ?? [],
      allowed.tags,
      allowed.allow_override_tags,
    ),
    skipTags: list(
      "skip_tags",
      form.skip_tags.length > 0 ? form.skip_tags : params?.skip_tags ?? [],
      allowed.skip_tags,
      allowed.allow_override_skip_tags,
    ),
    debug: form.debug || (params?.debug ?? false),
  };
  if (result.debug && allowed.allow_debug === false) refuse("debug");
  if (form.arguments && !template.allow_override_args_in_task) refuse("arguments");
  if (form.playbook && form.playbook !== template.playbook) refuse("playbook");
  const [first] = Object.keys(fields);
  if (first) {
    throw new AppError(400, "errors.not_allowed_by_template", { field: first }, { fields });
  }
  return result;
}

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
  const last = await kv.get<string>(keys.buildVersion(task.project_id, template.id));
  const version = nextVersion(template.start_version ?? "", last.value);
  op.check(last).set(last.key, version);
  return { ...task, version };
}

/**
 * Gives a deploy its build: the one asked for, else the newest that succeeded. The task gets the
 * build's version and commit. Throws 400 when there is no such build.
 */
export async function attachBuild(
  kv: Deno.Kv,
  task: TaskRow,
  template: TemplateRow,
  buildTaskId: number | null,
): Promise<TaskRow> {
  if (template.type !== "deploy") return task;
  const source = buildTaskId === null
    ? await newestSuccess(kv, template)
    : await findTask(kv, template.project_id, buildTaskId);
  if (!source) throw invalidField("build_task_id", "errors.build_version_required");
  if (source.template_id !== template.build_template_id || source.status !== "success") {
    throw invalidField("build_task_id", "errors.not_a_build");
  }
  const sameRepository = source.repository_id === task.repository_id;
  return {
    ...task,
    build_task_id: source.id,
    incoming_version: source.version ?? source.incoming_version,
    commit_hash: sameRepository ? source.commit_hash : null,
    commit_message: sameRepository ? source.commit_message : null,
  };
}

/** The newest task of the build template (or, in a chain, deploy template) that succeeded. */
async function newestSuccess(kv: Deno.Kv, template: TemplateRow): Promise<TaskRow | null> {
  const { project_id: projectId, build_template_id: sourceId } = template;
  if (sourceId === null) return null;
  const [newest] = await listTemplateTasks(kv, projectId, sourceId, { limit: 1, built: true });
  return newest ?? null;
}
