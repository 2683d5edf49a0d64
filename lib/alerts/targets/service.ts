import type { Deps } from "../../access/deps.ts";
import { AppError, conflict, invalidField, notFound } from "../../base/errors.ts";
import { reveal } from "../../base/secret.ts";
import { type Expected, requireVersion } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { catalogs } from "../../i18n/catalogs.ts";
import { nextId } from "../../store/ids.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { readAlertLog } from "../deliveries/log.ts";
import type { KindField } from "../kinds/kind.ts";
import { fieldsOf } from "../kinds/kinds.ts";
import { CHAT_LANGUAGE } from "../recipients.ts";
import { listRuleRows } from "../rules/repository.ts";
import type { TargetKind } from "../schema.ts";
import {
  alertEvent,
  type AlertsScope,
  changeSetup,
  getEntry,
  isAdmin,
  openPlace,
  placeOf,
} from "../scope.ts";
import { findAlertTarget, listTargetRows, removeTarget } from "./repository.ts";
import { changeableTarget, type TargetRow, targetView } from "./rows.ts";
import type { AlertDelivery, TargetForm, TargetTest, TargetView } from "./schema.ts";
import { readSettings } from "./settings.ts";
import { channelOf, settingsTargets } from "./settings_targets.ts";
import { sendTest } from "./test_target.ts";

/** Returns the targets of a project or of the server by id, with those of the settings first. */
export async function listTargets(scope: AlertsScope): Promise<TargetView[]> {
  const { kv, config } = scope.deps;
  const rows = await listTargetRows(kv, await openPlace(scope));
  return [...settingsTargets(config), ...rows].map(targetView);
}

/** Throws 409 for a target that the settings define, because no one can change it here. */
async function getTargetEntry(scope: AlertsScope, id: number): Promise<Deno.KvEntry<TargetRow>> {
  if (channelOf(id)) throw conflict("errors.alerts.of_settings");
  return await getEntry(scope.deps.kv, rowKeys.alertTarget(await openPlace(scope), id));
}

/** Returns a target of the scope, or one that the settings define. Throws not found. */
async function requireTarget(scope: AlertsScope, id: number): Promise<TargetRow> {
  const target = await findAlertTarget(scope.deps, await openPlace(scope), id);
  if (!target) throw notFound();
  return target;
}

/** Returns a target of the scope, or one that the settings define. Throws not found. */
export const getTarget = async (scope: AlertsScope, id: number): Promise<TargetView> =>
  targetView(await requireTarget(scope, id));

/** Returns the fields that a kind adds to the form of a target. */
export const targetSettings = (_scope: AlertsScope, kind: TargetKind): readonly KindField[] =>
  fieldsOf(kind);

/** Returns the latest messages of a target, the latest first. Throws not found. */
export async function listTargetDeliveries(
  scope: AlertsScope,
  id: number,
): Promise<AlertDelivery[]> {
  await requireTarget(scope, id);
  return await readAlertLog(scope.deps.kv, placeOf(scope), id);
}

/** Returns the latest message of each target of the scope that has received any. */
export async function latestDeliveries(
  scope: AlertsScope,
  targets: readonly TargetView[],
): Promise<Map<number, AlertDelivery>> {
  const entries = await Promise.all(targets.map(async ({ id }) => {
    const [latest] = await readAlertLog(scope.deps.kv, placeOf(scope), id, 1);
    return [id, latest] as const;
  }));
  return new Map(entries.filter(([, latest]) => latest !== undefined));
}

/** Creates a target. Throws 400, naming the field, and 409 if there are too many. */
export async function createTarget(scope: AlertsScope, form: TargetForm): Promise<TargetView> {
  const { deps, actor } = scope;
  const place = await openPlace(scope);
  const fields = await fieldsFrom(scope, form, null);
  const id = await nextId(deps.kv, "alert_targets");
  const row: TargetRow = { id, project_id: place, ...fields, failures: 0, paused: null };
  await transact(deps.kv, async (op) => {
    await changeSetup(deps.kv, op, place, { targets: 1 });
    op.set(rowKeys.alertTarget(place, id), row);
    const states = { before: null, after: changeableTarget(row) };
    await recordChange(op, deps, actor, alertEvent(row, "target_created"), states);
  });
  return targetView(row);
}

/** Changes a target. Throws as `createTarget` does, and 412 if the stored one is not `expected`. */
export async function updateTarget(
  scope: AlertsScope,
  id: number,
  form: TargetForm,
  expected?: Expected,
): Promise<void> {
  await edit(scope, id, "target_updated", async (row) => {
    requireVersion(changeableTarget(row), expected);
    return { ...row, ...await fieldsFrom(scope, form, row) };
  });
}

/** Sends messages to a paused target again. */
export const resumeTarget = (scope: AlertsScope, id: number): Promise<void> =>
  edit(scope, id, "target_resumed", (row) => ({ ...row, failures: 0, paused: null }));

async function edit(
  scope: AlertsScope,
  id: number,
  action: string,
  change: (row: TargetRow) => TargetRow | Promise<TargetRow>,
): Promise<void> {
  const { deps, actor } = scope;
  await transact(deps.kv, async (op) => {
    const entry = await getTargetEntry(scope, id);
    const row = await change(entry.value);
    await changeSetup(deps.kv, op, placeOf(scope));
    op.check(entry).set(entry.key, row);
    const states = { before: changeableTarget(entry.value), after: changeableTarget(row) };
    await recordChange(op, deps, actor, alertEvent(row, action), states);
  });
}

/** Deletes a target with its log. Throws 409 while rules use it, and 412 as `updateTarget` does. */
export async function deleteTarget(
  scope: AlertsScope,
  id: number,
  expected?: Expected,
): Promise<void> {
  const { deps, actor } = scope;
  const place = placeOf(scope);
  await transact(deps.kv, async (op) => {
    const entry = await getTargetEntry(scope, id);
    requireVersion(changeableTarget(entry.value), expected);
    await changeSetup(deps.kv, op, place, { targets: -1 });
    const users = (await listRuleRows(deps.kv, place)).filter(({ target_id }) => target_id === id);
    if (users.length > 0) {
      throw conflict("errors.alerts.target_in_use", { rule: users[0].name });
    }
    await removeTarget(deps.kv, op.check(entry), entry.value);
    const states = { before: changeableTarget(entry.value), after: null };
    await recordChange(op, deps, actor, alertEvent(entry.value, "target_deleted"), states);
  });
}

/**
 * Sends a test message to a target now, also to one that is paused or not active. Its log has it,
 * but it does not count as one of its failures.
 */
export const testTarget = async (scope: AlertsScope, id: number): Promise<TargetTest> =>
  await sendTest(
    scope,
    "project" in scope ? scope.project : null,
    await requireTarget(scope, id),
  ) ??
    { ok: false, code: null, reason: { key: "errors.alerts.no_recipient" } };

type Fields = Omit<TargetRow, "id" | "project_id" | "failures" | "paused">;

/** Returns the fields of a target after `form`. */
async function fieldsFrom(
  scope: AlertsScope,
  form: TargetForm,
  stored: TargetRow | null,
): Promise<Fields> {
  const { name, kind } = form;
  const language = form.language ?? stored?.language ?? CHAT_LANGUAGE;
  if (!catalogs.has(language)) throw invalidField("language", "errors.unknown_type");
  const { settings, given, kept, isMoved } = readSettings(form, stored);
  const wasAllowed = stored?.allow_private ?? false;
  if (form.allow_private && !wasAllowed && !isAdmin(scope)) {
    throw new AppError(403, "errors.alerts.private_needs_admin");
  }
  // The permission was for the address of before.
  const isAllowed = (form.allow_private ?? wasAllowed) && (isAdmin(scope) || !isMoved);
  return {
    name,
    kind,
    language,
    active: form.active ?? stored?.active ?? true,
    allow_private: isAllowed,
    settings,
    ...await sealedSecrets(scope.deps, stored, kept, given),
    host: hostOf(given.url ?? settings.server) ?? (isMoved ? "" : stored?.host ?? ""),
  };
}

/** Returns the secrets of a target. Unchanged ones stay as they are sealed. */
async function sealedSecrets(
  { secrets: box }: Pick<Deps, "secrets">,
  stored: TargetRow | null,
  kept: readonly string[],
  given: Record<string, string>,
): Promise<Pick<TargetRow, "sealed" | "secrets">> {
  const isSame = Object.keys(given).length === 0 && kept.length === stored?.secrets.length;
  if (stored && isSame) return { sealed: stored.sealed, secrets: stored.secrets };
  const old: Record<string, string> = stored?.sealed && kept.length > 0
    ? JSON.parse(reveal(await box.open(stored.sealed), "alert"))
    : {};
  const all = { ...Object.fromEntries(kept.map((name) => [name, old[name]])), ...given };
  const secrets = Object.keys(all);
  if (secrets.length === 0) return { sealed: null, secrets };
  return { sealed: await box.seal(JSON.stringify(all)), secrets };
}

const hostOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : new URL(url).host;
