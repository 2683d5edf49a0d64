import type { Membership, ProjectScope } from "../../access/scope.ts";
import { queueTaskAlert } from "../../alerts/outbox.ts";
import { grants } from "../../access/permissions.ts";
import type { Actor } from "../../access/actor.ts";
import { AppError, conflict, invalidField, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { takeIds } from "../../store/ids.ts";
import { readTargets } from "../../references/service.ts";
import type { InventoryRow } from "../../resources/inventories/schema.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { addRenewal } from "../../resources/repositories/requirements.ts";
import { chosenToolchain } from "../../resources/toolchains/choose.ts";
import { requireMayRun, sightOf } from "../../access/sight.ts";
import { listOutlines } from "../../templates/outlines.ts";
import { templateRows } from "../../templates/repository.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { personalOf } from "../../tasks/personal.ts";
import { requireStorable, storeAnswers, storeSecretAnswers } from "../../tasks/answer_store.ts";
import { newTask, type StartedBy } from "./new_task.ts";
import { personalPart, preparePersonal } from "../inputs/personal.ts";
import { runnerNeeds, taskInventory } from "../inputs/task_labels.ts";
import { loadTaskChoices } from "../inputs/survey_context.ts";
import { type Origin, requireLimits } from "../inputs/overrides.ts";
import { queueApprovalLimit } from "../outboxes/approval_outbox.ts";
import { attachBuild, takeVersion } from "./builds.ts";
import { repeatsOf, type StartCause, withCause } from "./start_cause.ts";
import { taskChanged, taskEvent } from "../../tasks/changes.ts";
import { findTask } from "../../model/tasks.ts";
import { holdHistory, insertTask, takeTurn, type TaskDraft } from "../../tasks/insert.ts";
import { storeHosts } from "../../tasks/host_store.ts";
import type { TaskAttempt, TaskRow } from "../../model/task_row.ts";
import type { TaskView } from "../../tasks/schema.ts";
import type { StartTaskForm } from "../../tasks/start_form.ts";
import { taskView } from "../../tasks/view.ts";
import { rowKeys } from "../../store/keys.ts";
import { memoryPart } from "../../store/memory.ts";
import type { Atomic, Store } from "../../store/store.ts";

/**
 * Queues a task of a template. It starts as soon as the limits allow. `also` adds mutations that
 * must be stored with the task or not at all. It may be called several times. A task that fixes
 * hosts of a check has a preview, whatever the template says.
 */
export async function startTask(
  scope: ProjectScope<"run_tasks">,
  form: StartTaskForm,
  also: StartAlso = () => Promise.resolve(),
  cause: StartCause = { kind: "order" },
): Promise<TaskView> {
  const { deps, actor, projectId } = scope;
  const template = await wantedTemplate(scope, form);
  const repeats = repeatsOf(cause);
  const check = cause.kind === "check";
  const initiator = startedByOf(actor, scope, cause.kind === "attempt" ? cause.attempt : undefined);
  const inventory = await taskInventory(deps.kv, template, form.inventory_id);
  const [lists, read, toolchain_id, repeated] = await Promise.all([
    loadTaskChoices(scope, template, form, "start"),
    originOf(deps.kv, initiator, template, inventory, form),
    chosenToolchain(deps.kv, [template, inventory, scope.project]),
    repeatedRequirements(deps.kv, template, form),
    requireRoom(deps.kv),
  ]);
  const origin = { ...read, lists, isRetry: repeats !== undefined };
  const personal = await personalPart(scope, personalOf(template, inventory), form, { check });
  const now = deps.clock.now();
  const { task: made, secretAnswers } = newTask(origin, form, initiator, now, {
    check,
    isPreviewed: repeats?.task.check,
    personal,
  });
  requireLimits(made);
  const built = await attachBuild(deps.kv, made, template, form.build_task_id);
  const attached = {
    ...withCause(built, cause),
    ...repeated,
    ...toolchain_id && { toolchain_id },
  };
  const secrets = JSON.stringify(secretAnswers);
  for (const json of [attached.environment, secrets]) requireStorable(json);
  const storePersonal = await preparePersonal(deps, scope.project, attached, form);
  const sealed = attached.has_secrets ? await deps.secrets.seal(secrets) : null;
  const task = await takeTurn(deps.kv, async (op) => {
    const [[id], current, history] = await Promise.all([
      takeIds(deps.kv, op, "tasks", 1),
      templateRows.find(deps.kv, projectId, template.id),
      holdHistory(deps.kv, op, attached),
      requireInventory(deps.kv, op, attached),
    ]);
    if (!current) throw notFound();
    op.check(current.entry);
    const draft = { ...attached, id };
    const versioned = repeats?.version
      ? { ...draft, version: repeats.version }
      : await takeVersion(deps.kv, op, draft, current.row);
    // Before the insertion: if `also` ends the latest task, the new one still replaces its copy.
    await also(op, versioned);
    if (form.force_galaxy_install) addRenewal(op, projectId, versioned.repository_id);
    insertTask(op, history, storeAnswers(op, versioned));
    if (sealed) storeSecretAnswers(op, id, sealed);
    storePersonal(op, id);
    if (repeats) storeHosts(op, versioned, repeats.hosts);
    const action = versioned.status === "waiting" ? "queued" : versioned.status;
    recordEvent(op, deps, actor, taskEvent(versioned, action));
    await queueTaskAlert(op, deps, versioned); // when it waits for a confirmation
    queueApprovalLimit(op, deps, versioned);
    return versioned;
  });
  taskChanged(deps, task);
  deps.wakeDispatcher();
  const names = new Map([[template.id, template.name]]);
  return await taskView(deps, task, { names, unjudged: true, sight: await sightOf(scope) });
}

/**
 * Returns the template that a form names, which the actor may run. Throws 404 for none and for one
 * that they do not see, 403 for one that they may not run, and 409 for a name of several.
 */
async function wantedTemplate(scope: ProjectScope, form: StartTaskForm): Promise<TemplateRow> {
  const template = await namedTemplate(scope, form);
  await requireMayRun(scope, "templates", template.id);
  return template;
}

async function namedTemplate(
  scope: ProjectScope,
  { template_id, template_name: name }: StartTaskForm,
): Promise<TemplateRow> {
  const { deps: { kv }, projectId } = scope;
  if (template_id !== 0) {
    const template = await templateRows.get(kv, projectId, template_id);
    if (!name || name === template.name) return template;
    throw invalidField("template_name", "errors.templates.other_name");
  }
  const [template, another] = (await listOutlines(scope))
    .filter((template) => template.name === name);
  if (!template) throw new AppError(404, "errors.templates.no_name", { name: name! });
  if (another) throw conflict("errors.templates.several_names", { name: name! });
  return await templateRows.get(kv, projectId, template.id);
}

/** Adds to the commit of a new task. Throws to cancel the start. */
export type StartAlso = (op: Atomic, task: TaskRow) => Promise<void>;

/** Reads what the form is compared with besides the template, as far as the form needs it. */
async function originOf(
  kv: Store,
  { mayRepeat }: StartedBy,
  template: TemplateRow,
  inventory: InventoryRow | null,
  { id, git_branch }: StartTaskForm,
): Promise<Omit<Origin, "lists">> {
  const { project_id: projectId, repository_id } = template;
  const repository = git_branch && !template.git_branch
    ? await repositoryRows.find(kv, projectId, repository_id)
    : null;
  const before = id !== null && mayRepeat ? await findTask(kv, projectId, id) : null;
  return {
    template,
    repositoryBranch: repository?.row.git_branch ?? null,
    ...await runnerNeeds(kv, template, inventory),
    before: before?.template_id === template.id ? before : null,
  };
}

/** Returns the requirements of a task that is repeated at its own commit. */
async function repeatedRequirements(
  kv: Store,
  { id: templateId, project_id }: TemplateRow,
  { id, commit_hash, force_galaxy_install }: StartTaskForm,
): Promise<Pick<TaskDraft, "requirements">> {
  if (id === null || commit_hash === null || force_galaxy_install) return {};
  const task = await findTask(kv, project_id, id);
  const isSame = task?.template_id === templateId && task.commit_hash === commit_hash;
  return isSame && task.requirements ? { requirements: task.requirements } : {};
}

/** Throws 404 unless the task's inventory override belongs to its project. */
async function requireInventory(kv: Store, op: Atomic, task: TaskDraft) {
  const id = task.given.inventory_id ?? null;
  if (id === null) return;
  await readTargets(kv, op, task.project_id, { inventory_id: ["inventories", id] });
}

function startedByOf(
  actor: Actor,
  { permissions }: Membership,
  attempt?: TaskAttempt,
): StartedBy {
  const person = actor.kind === "user" ? actor : null;
  // Values from schedules and webhooks were set by someone who manages the project. Those of an
  // attempt are still of the person who started the first one.
  const manages = attempt?.manages ??
    (person === null ||
      grants(permissions, "manage_resources") && grants(permissions, "override_runs"));
  return {
    actor,
    username: person?.username ?? null,
    name: person?.name ?? null,
    manages,
    permissions,
    // People who may change the template, and the server for them.
    mayRepeat: manages && (person !== null || attempt !== undefined),
  };
}

/** Maximum number of unfinished tasks in all projects, because the queue is read as a whole. */
export const OPEN_TASKS_MAX = 10_000;

const RETRY_AFTER_SECONDS = 60;

/** Starts that are left until the queue is counted again. */
const uncounted = memoryPart("uncounted starts", () => ({ left: 0 }));

/**
 * Throws 429 if too many tasks are open. Counting many tasks takes a while, so a count is valid for
 * as many starts as half of the free slots. The other half is left for other servers.
 */
async function requireRoom(kv: Store): Promise<void> {
  const starts = uncounted.of(kv);
  if (starts.left > 0) return void starts.left--;
  let open = 0;
  const rows = kv.list({ prefix: rowKeys.openTasks() }, { limit: OPEN_TASKS_MAX, batchSize: 500 });
  for await (const _ of rows) open++;
  if (open >= OPEN_TASKS_MAX) {
    throw new AppError(429, "errors.queue_full", { max: OPEN_TASKS_MAX }, {
      headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
    });
  }
  starts.left = Math.floor((OPEN_TASKS_MAX - open) / 2);
}
