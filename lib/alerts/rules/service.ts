import { invalidField } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { nextId } from "../../store/ids.ts";
import { type ResourceKind, rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import {
  alertEvent,
  type AlertsScope,
  changeSetup,
  getEntry,
  openPlace,
  placeOf,
  projectIdOf,
} from "../scope.ts";
import { channelOf } from "../targets/settings_targets.ts";
import { knownQuiet } from "./quiet.ts";
import { listRuleRows } from "./repository.ts";
import type { RuleForm, RuleRow, RuleView } from "./schema.ts";

/** Returns the rules of a project or of the server by id. */
export const listRules = async (scope: AlertsScope): Promise<RuleView[]> =>
  (await listRuleRows(scope.deps.kv, await openPlace(scope))).map(ruleView);

const getRuleEntry = async (scope: AlertsScope, id: number) =>
  await getEntry<RuleRow>(scope.deps.kv, rowKeys.alertRule(await openPlace(scope), id));

/** Returns a rule of the scope. Throws not found. */
export const getRule = async (scope: AlertsScope, id: number): Promise<RuleView> =>
  ruleView((await getRuleEntry(scope, id)).value);

const ruleView = (row: RuleRow): RuleView =>
  versioned({ ...row, project_id: projectIdOf(row.project_id) }, row);

/** Creates a rule. Throws 400, naming the field, and 409 if there are too many. */
export async function createRule(scope: AlertsScope, form: RuleForm): Promise<RuleView> {
  const { deps, actor } = scope;
  const place = await openPlace(scope);
  const id = await nextId(deps.kv, "alert_rules");
  const row = await transact(deps.kv, async (op) => {
    await changeSetup(deps.kv, op, place, { rules: 1 });
    const row = await rowFrom(scope, id, form, null);
    op.set(rowKeys.alertRule(place, id), row);
    const states = { before: null, after: row };
    await recordChange(op, deps, actor, alertEvent(row, "rule_created"), states);
    return row;
  });
  return ruleView(row);
}

/** Changes a rule. Throws as `createRule` does, and 412 if the stored one is not `expected`. */
export async function updateRule(
  scope: AlertsScope,
  id: number,
  form: RuleForm,
  expected?: Expected,
): Promise<void> {
  const { deps, actor } = scope;
  await transact(deps.kv, async (op) => {
    const entry = await getRuleEntry(scope, id);
    requireVersion(entry.value, expected);
    await changeSetup(deps.kv, op, placeOf(scope));
    const row = await rowFrom(scope, id, form, entry.value);
    op.check(entry).set(entry.key, row);
    const states = { before: entry.value, after: row };
    await recordChange(op, deps, actor, alertEvent(row, "rule_updated"), states);
  });
}

/** Deletes a rule, with the alerts that it holds back. Throws not found, and 412. */
export async function deleteRule(
  scope: AlertsScope,
  id: number,
  expected?: Expected,
): Promise<void> {
  const { deps, actor } = scope;
  const place = placeOf(scope);
  await transact(deps.kv, async (op) => {
    const entry = await getRuleEntry(scope, id);
    requireVersion(entry.value, expected);
    await changeSetup(deps.kv, op, place, { rules: -1 });
    op.check(entry).delete(entry.key).delete(rowKeys.alertDigest(place, id));
    const states = { before: entry.value, after: null };
    await recordChange(op, deps, actor, alertEvent(entry.value, "rule_deleted"), states);
  });
}

async function rowFrom(
  scope: AlertsScope,
  id: number,
  form: RuleForm,
  stored: RuleRow | null,
): Promise<RuleRow> {
  const { kv } = scope.deps;
  const place = placeOf(scope);
  if (channelOf(form.target_id) === null) {
    const target = await kv.get(rowKeys.alertTarget(place, form.target_id));
    if (target.versionstamp === null) throw invalidField("target_id", "errors.alerts.no_target");
  }
  // Without them, a rule for one project would become a rule for all.
  const project_ids = form.project_ids === undefined
    ? stored?.project_ids ?? []
    : form.project_ids ?? [];
  await requireProjects(scope, project_ids, stored);
  await requireAll(scope, "templates", "template_ids", form, stored);
  await requireAll(scope, "views", "view_ids", form, stored);
  await requireAll(scope, "workflows", "workflow_ids", form, stored);
  return {
    ...form,
    id,
    project_id: place,
    project_ids,
    repeat: form.repeat ?? stored?.repeat ?? "change",
    digest: form.digest ?? stored?.digest ?? false,
    active: form.active ?? stored?.active ?? true,
    quiet: knownQuiet(form.quiet),
  };
}

/** Throws 400 for projects of a rule that is not of the server, and for new ones without a row. */
async function requireProjects(
  scope: AlertsScope,
  project_ids: number[],
  stored: RuleRow | null,
): Promise<void> {
  const added = project_ids.filter((id) => !stored?.project_ids.includes(id));
  const isServer = placeOf(scope) === 0;
  const rows = isServer ? await getAll(scope.deps.kv, added.map(rowKeys.project)) : [];
  const isWrong = rows.some(({ versionstamp }) => versionstamp === null);
  if (isWrong || (!isServer && project_ids.length > 0)) {
    throw invalidField("project_ids", "errors.alerts.not_for_project");
  }
}

/**
 * Throws 400 for an id that is not in the project. Ids of deleted objects stay: without them, a
 * rule for one template would become a rule for all.
 */
async function requireAll(
  scope: AlertsScope,
  kind: ResourceKind,
  name: "template_ids" | "view_ids" | "workflow_ids",
  form: RuleForm,
  stored: RuleRow | null,
): Promise<void> {
  const added = form[name].filter((id) => !stored?.[name].includes(id));
  const keys = added.map((id) => rowKeys.resource(kind, placeOf(scope), id));
  const rows = await getAll(scope.deps.kv, keys);
  if (rows.some(({ versionstamp }) => versionstamp === null)) {
    throw invalidField(name, "errors.alerts.not_in_project");
  }
}
