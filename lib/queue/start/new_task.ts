import { type Actor, initiatorOf, userIdOf } from "../../access/actor.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { validateAnswers } from "../../surveys/answers.ts";
import { newApproval, waitingApproval } from "../../tasks/approval.ts";
import { isPersonal } from "../../tasks/personal.ts";
import type { Given, PersonalPart, PreviewState } from "../../model/task_row.ts";
import type { TaskDraft } from "../../tasks/insert.ts";
import { parseStrings, type StartTaskForm } from "../../tasks/start_form.ts";
import { type Origin, validateOverrides, validateTaskArguments } from "../inputs/overrides.ts";

/** Starter of a task, as stored in the history. */
export interface StartedBy {
  actor: Actor;
  username: string | null;
  name: string | null;
  /**
   * Whether the starter may manage the project. Then they may send variables that are not in the
   * template's survey, and any arguments.
   */
  manages: boolean;
  /** Their permissions. Triggers have those of people who run tasks. */
  permissions: number;
  /** Whether they may repeat a task that the template no longer allows. */
  mayRepeat: boolean;
}

/** A new task, and its secret answers, which are stored encrypted outside of the row. */
interface NewTask {
  task: TaskDraft;
  secretAnswers: Record<string, string>;
}

/** Parts of a new task that its form does not decide. */
interface TaskKind {
  check?: boolean;
  isPreviewed?: boolean;
  personal?: PersonalPart;
}

/**
 * Creates the task with a copy of its settings. Throws 400 for values that the template does not
 * offer. A check needs no confirmation, because it is a dry run as previews are.
 */
export function newTask(
  origin: Origin,
  form: StartTaskForm,
  starter: StartedBy,
  now: Date,
  { check = false, isPreviewed = false, personal = {} }: TaskKind = {},
): NewTask {
  const { template, labels, several_keys, keeps = [] } = origin;
  const { task_arguments, given } = validateOverrides(origin, form, starter);
  const answers = validateAnswers(template.survey_vars, {
    lists: origin.lists,
    given: form.environment,
    givenSecret: form.secret,
    manages: starter.manages,
  });
  const ownArguments = starter.manages ? null : task_arguments;
  if (ownArguments) validateTaskArguments(template, ownArguments.words);
  const { debug, diff } = form;
  const dry_run = form.dry_run || check;
  const preview = dry_run ? null : previewOf(template, isPreviewed);
  // Tasks with a preview are confirmed after the preview, and only once.
  const isWaiting = template.require_confirmation && !preview && !check;
  const approval = newApproval(template.approval, template.changed_by);
  const task: TaskDraft = {
    project_id: template.project_id,
    template_id: template.id,
    status: isWaiting ? "waiting_confirmation" : "waiting",
    message: form.message ?? "",
    created: now.toISOString(),
    start: null,
    end: null,
    ...starterOf(starter),
    ...copyOf(template),
    ...effectiveOf(template, given),
    ...labels.length > 0 && { runner_labels: labels },
    ...several_keys && { several_keys },
    ...keeps.length > 0 && { keeps },
    given,
    environment: JSON.stringify(answers.open),
    has_secrets: Object.keys(answers.secret).length > 0,
    secret_names: Object.keys(answers.secret),
    arguments: task_arguments && task_arguments.text,
    ...form.arguments?.words.length === 0 && { no_arguments: form.arguments.text },
    arguments_checked: ownArguments !== null,
    debug,
    dry_run,
    diff,
    ...check && { check },
    version: null,
    build_task_id: null,
    incoming_version: null,
    commit_hash: form.commit_hash,
    commit_asked: form.commit_hash !== null,
    commit_message: null,
    ...personal,
    // Nobody would be there to give a key or a password.
    ...!dry_run && !isPersonal(personal) && attemptOf(template, starter),
    ...preview && { preview, approval },
    ...isWaiting && { approval: waitingApproval(approval, now) },
    stop: "",
    end_reason: null,
  };
  return { task, secretAnswers: answers.secret };
}

/** Returns who started a task, as it stores that. */
function starterOf({ actor, username, name }: StartedBy) {
  const started_by = initiatorOf(actor);
  return {
    user_id: actor.kind === "user" ? userIdOf(actor) : null,
    username,
    user_name: name,
    schedule_id: actor.kind === "schedule" ? actor.id : null,
    integration_id: actor.kind === "integration" ? actor.id : null,
    ...started_by && { started_by },
    ...actor.kind === "user" && actor.credential.kind === "token" && { by_token: true },
  };
}

function previewOf(template: TemplateRow, isPreviewed: boolean): PreviewState | null {
  if (!template.preview_first) return isPreviewed ? { ends_unchanged: false, made: null } : null;
  // A build that ends without having been executed would be offered to deploys.
  const ends_unchanged = template.preview_end_unchanged && template.type !== "build";
  return { ends_unchanged, made: null };
}

/** Returns the first of several attempts, if the template repeats its tasks. */
function attemptOf({ retry_attempts, retry_minutes }: TemplateRow, starter: StartedBy) {
  if (retry_attempts === 0) return undefined;
  const { manages } = starter;
  return { attempt: { n: 1, of: retry_attempts + 1, minutes: retry_minutes, manages } };
}

/** Whether a working directory is another one than the root. */
const isFolder = (path: string | null | undefined): path is string =>
  Boolean(path) && path !== "." && path !== "./";

/** Returns the settings of a template that a task stores. */
export const copyOf = (template: TemplateRow) => ({
  template_name: template.name,
  template_type: template.type,
  template_app: template.app,
  playbook: template.playbook,
  ...isFolder(template.working_directory) && { working_directory: template.working_directory },
  repository_id: template.repository_id,
  environment_id: template.environment_id,
  more_environment_ids: template.more_environment_ids,
  vaults: template.vaults.flatMap(({ vault_key_id, name }) =>
    vault_key_id === null ? [] : [{ vault_key_id, name }]
  ),
  ...template.ssh_keys && { ssh_keys: template.ssh_keys },
  template_arguments: parseStrings(template.arguments ?? "[]")?.length ? template.arguments : null,
  skip_galaxy_install: template.task_params?.skip_galaxy_install ?? false,
  environment_targets: template.survey_vars.filter(({ target }) => target === "env")
    .map(({ name }) => name),
  suppress_success_alerts: template.suppress_success_alerts,
  ...template.suppress_error_alerts && { suppress_error_alerts: true },
  ...template.suppress_full_results && { suppress_full_results: true },
  ...template.task_identity && { identity_audience: template.task_identity_audience },
});

/** Returns the task's effective settings: its own values, or else the template's. */
export function effectiveOf(template: TemplateRow, given: Given) {
  const own = template.task_params ?? {};
  return {
    inventory_id: given.inventory_id ?? template.inventory_id ?? 0,
    git_branch: given.git_branch ?? (template.git_branch || null),
    limit: orElse(given.limit, own.limit),
    tags: orElse(given.tags, own.tags),
    skip_tags: orElse(given.skip_tags, own.skip_tags),
    skip_galaxy_install: given.skip_galaxy_install ?? own.skip_galaxy_install ?? false,
  };
}

const orElse = (given: string[], own: string[] | undefined) => given.length > 0 ? given : own ?? [];
