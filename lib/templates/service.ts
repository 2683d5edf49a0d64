import { userIdOf } from "../access/actor.ts";
import { ruleChanged } from "../access/changed.ts";
import { storedAccessRule } from "../access/rules/schema.ts";
import type { ProjectScope } from "../access/scope.ts";
import { requireMayEdit, sightOf } from "../access/sight.ts";
import { type Expected, requireVersion, versioned } from "../base/version.ts";
import { recordChange } from "../events/record_change.ts";
import { notFound } from "../base/errors.ts";
import { nextId } from "../store/ids.ts";
import { rowKeys } from "../store/keys.ts";
import { transact } from "../store/transact.ts";
import type { Atomic } from "../store/store.ts";
import { keptPaths } from "../resources/common/keep_paths.ts";
import { forgetKeptFiles } from "../resources/common/kept_files.ts";
import { chooseKeys } from "../resources/common/key_list.ts";
import { ownLastTasks } from "../tasks/own_tasks.ts";
import type { TaskView } from "../tasks/schema.ts";
import { countTasks, lastTaskOf } from "../tasks/template_tasks.ts";
import { storedSurvey } from "../surveys/schema.ts";
import { requireAllowedUrls } from "../surveys/allowed_urls.ts";
import { templateRows } from "./repository.ts";
import {
  requireBuildSource,
  requireBuildUse,
  requireOneSecret,
  requireTargets,
  requireTemplateRights,
  requireUnconfirmedFixes,
} from "./rules.ts";
import {
  environmentIds,
  startVersionOf,
  storedApproval,
  type TemplateForm,
  type TemplateRow,
  type TemplateView,
} from "./schema.ts";
import { templateSettings } from "./settings.ts";
import { chooseItems } from "./choose_items.ts";
import { chooseVaults } from "./vaults.ts";
import { shownTo, templateView } from "./view.ts";
import { askingOf } from "../tasks/personal.ts";

/** One template with its latest task. */
export async function getTemplate(scope: ProjectScope, id: number): Promise<TemplateView> {
  const found = await findTemplate(scope, id);
  if (!found) throw notFound();
  return found;
}

/** The same, or null if there is none. */
export async function findTemplate(
  scope: ProjectScope,
  id: number,
): Promise<TemplateView | null> {
  const { deps, projectId, permissions } = scope;
  const [sight, found] = await Promise.all([
    sightOf(scope),
    templateRows.find(deps.kv, projectId, id),
  ]);
  if (!found || !sight.maySee("templates", id)) return null;
  const { row } = found;
  const [lastTask, tasks] = sight.seesAllTasks
    ? await Promise.all([
      lastTaskOf(deps, projectId, id, sight),
      countTasks(deps.kv, projectId, id),
    ])
    : await ownTasksOf(scope, row);
  const view = templateView(row, lastTask, tasks);
  return versioned(shownTo(permissions, view), row);
}

/** Returns the last task that the actor started of a template, and how many they did. */
async function ownTasksOf(
  scope: ProjectScope,
  { id, name }: TemplateRow,
): Promise<[TaskView | null, number]> {
  const own = (await ownLastTasks(scope, new Map([[id, name]]))).get(id);
  return [own?.view ?? null, own?.count ?? 0];
}

/** Adds what belongs to a new or changed template to its commit. */
type AddToCommit = (op: Atomic, row: TemplateRow) => Promise<void>;

/** Creates a template. All of its references must be in the same project. */
export async function createTemplate(
  scope: ProjectScope<"manage_resources">,
  form: TemplateForm,
  also: AddToCommit,
): Promise<TemplateView> {
  const { deps, actor, projectId } = scope;
  const id = await nextId(deps.kv, "templates");
  const row = {
    ...templateRow(id, projectId, form, NEW_TEMPLATE),
    changed_by: userIdOf(actor),
  };
  requireOneSecret(row);
  requireAllowedUrls(deps.config, row.survey_vars, []);
  requireUnconfirmedFixes(row);
  await requireTemplateRights(scope, row, null);
  await transact(deps.kv, async (op) => {
    await requireTargets(deps.kv, op, row);
    await requireBuildSource(deps.kv, op, row);
    await templateRows.insert(deps.kv, op, row);
    await also(op, row);
    const event = { ...eventOf(row), action: "created" };
    await recordChange(op, deps, actor, event, { before: null, after: templateSettings(row) });
  });
  return templateView(row, null, 0);
}

/**
 * Changes a template. Fields that the form omits become empty. Throws 412 if the stored template is
 * not `expected`.
 */
export async function updateTemplate(
  scope: ProjectScope<"manage_resources">,
  id: number,
  form: TemplateForm,
  expected: Expected | undefined,
  also: AddToCommit,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  await requireMayEdit(scope, "templates", id);
  let forgets = false;
  const [stored, changed] = await transact(deps.kv, async (op) => {
    let stored: TemplateRow;
    let before: object | null = null;
    const row = await templateRows.update(deps.kv, op, projectId, id, async (found) => {
      stored = found;
      requireVersion(stored, expected);
      before = templateSettings(stored);
      const changed = {
        ...templateRow(id, projectId, form, stored),
        changed_by: userIdOf(actor),
      };
      requireOneSecret(changed);
      requireAllowedUrls(deps.config, changed.survey_vars, stored.survey_vars);
      requireUnconfirmedFixes(changed);
      await requireTemplateRights(scope, changed, stored);
      await requireTargets(deps.kv, op, changed);
      await requireBuildSource(deps.kv, op, changed);
      await requireBuildUse(deps.kv, op, changed);
      return changed;
    });
    await also(op, row);
    forgets = keptPaths(row.keep_paths).length === 0;
    op.set(rowKeys.tasksWake(), id); // Waiting tasks may be allowed to start now.
    const event = { ...eventOf(row), action: "updated" };
    await recordChange(op, deps, actor, event, { before, after: templateSettings(row) });
    return [stored!, row];
  });
  await ruleChanged(deps, projectId, stored, changed);
  if (forgets) await forgetKeptFiles(deps.kv, { projectId, kind: "templates", id });
  deps.wakeDispatcher();
}

const NEW_TEMPLATE = {
  environment_id: null,
  more_environment_ids: [],
  vaults: [],
  survey_vars: [],
};

function templateRow(
  id: number,
  projectId: number,
  {
    vaults,
    vault_key_id,
    environment_ids,
    environment_id: first,
    ssh_key_ids,
    ssh_key_hosts,
    runner_tag,
    runner_tags: _tags,
    runner_tag_match_mode: _mode,
    executor_image: _image,
    limit: _limit,
    visible_to,
    run_by,
    edit_by,
    ...form
  }: TemplateForm,
  stored:
    & Pick<TemplateRow, "environment_id" | "more_environment_ids" | "vaults" | "survey_vars">
    & Partial<TemplateRow>,
): TemplateRow {
  const ssh_keys = chooseKeys({ ssh_key_ids, ssh_key_hosts }, stored.ssh_keys ?? []);
  const isDeploy = form.type === "deploy";
  const [environment_id = null, ...more_environment_ids] = chooseItems(
    { list: environment_ids, first },
    environmentIds(stored),
    Object.is,
  );
  return {
    ...form,
    id,
    project_id: projectId,
    environment_id,
    more_environment_ids,
    survey_vars: storedSurvey(form.survey_vars, stored.survey_vars),
    vaults: chooseVaults({ vaults, vault_key_id }, stored.vaults),
    ...ssh_keys.length > 0 && { ssh_keys },
    ...runner_tag,
    ...storedAccessRule({ visible_to, run_by, edit_by }, stored),
    start_version: startVersionOf(form),
    build_template_id: isDeploy ? form.build_template_id : null,
    autorun: isDeploy && form.autorun,
    approval: storedApproval(form, stored.approval),
    check_cron: kept(form.check_cron, stored.check_cron, null) || null,
    check_after_commit: kept(form.check_after_commit, stored.check_after_commit, false),
    retry_attempts: kept(form.retry_attempts, stored.retry_attempts, 0),
    retry_minutes: kept(form.retry_minutes, stored.retry_minutes, 0),
    task_identity: kept(form.task_identity, stored.task_identity, false),
    task_identity_audience: kept(form.task_identity_audience, stored.task_identity_audience, ""),
    ...askingOf(form, stored),
    auto_fix: kept(form.auto_fix, stored.auto_fix, null),
    toolchain_id: kept(form.toolchain_id, stored.toolchain_id, null),
    keep_paths: kept(form.keep_paths, stored.keep_paths, null),
  };
}

/** The sent value, `none` if null was sent, or the stored one if nothing was sent. */
const kept = <T>(sent: T | null | undefined, stored: T | undefined, none: T): T =>
  (sent === undefined ? stored : sent) ?? none;

const eventOf = (row: TemplateRow) =>
  ({ projectId: row.project_id, object: "template", id: row.id, name: row.name }) as const;
