import { knownQuiet } from "../../alerts/rules/quiet.ts";
import { ruleForm, type RuleRow } from "../../alerts/rules/schema.ts";
import { RULES_MAX, TARGETS_MAX } from "../../alerts/scope.ts";
import { channelId, channelOf } from "../../alerts/targets/settings_targets.ts";
import type { TargetRow } from "../../alerts/targets/rows.ts";
import { targetForm } from "../../alerts/targets/schema.ts";
import { checkedSettings } from "../../alerts/targets/settings.ts";
import { catalogs } from "../../i18n/catalogs.ts";
import { conflict, invalidField } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { type BuildContext, ownName } from "./context.ts";
import { eachEntry, type NamedKind } from "./entries.ts";
import { entryName, type Names } from "./names.ts";
import type { ProjectRows } from "./rows.ts";
import type { BackupFile, ReadBackup } from "./schema.ts";

/** Returns the targets and rules of a project as entries of its backup file; null for none. */
export function exportAlerts(
  { alert_targets, alert_rules }: ProjectRows,
  names: Names,
): Pick<BackupFile, "alert_targets" | "alert_rules"> {
  const rules = alert_rules.map((row) => exportRule(row, names)).filter((entry) => entry !== null);
  return {
    alert_targets: alert_targets.length > 0
      ? alert_targets.map(({ id, kind, language, active, settings }) => ({
        ...names.alert_targets.get(id)!,
        kind,
        language,
        active,
        settings,
      }))
      : null,
    alert_rules: rules.length > 0 ? rules : null,
  };
}

/** Returns null for a rule about deleted objects alone: without them it would be about all. */
function exportRule(
  { id: _, project_id: __, project_ids: ___, ...row }: RuleRow,
  names: Names,
) {
  const { target_id, template_ids, view_ids, workflow_ids, ...rest } = row;
  const namesOf = (kind: NamedKind, ids: number[]) =>
    ids.flatMap((id) => names[kind].get(id)?.name ?? []);
  const chosen = {
    templates: namesOf("templates", template_ids),
    views: namesOf("views", view_ids),
    workflows: namesOf("workflows", workflow_ids),
  };
  const isForSome = template_ids.length + view_ids.length + workflow_ids.length > 0;
  if (isForSome && Object.values(chosen).every(({ length }) => length === 0)) return null;
  const channel = channelOf(target_id);
  const target = channel === null ? entryName(names.alert_targets, target_id) : null;
  return { ...rest, target, channel, ...chosen };
}

/** Builds the targets of a file. Their secrets must be entered before they can be used. */
export function buildTargets(
  file: ReadBackup,
  { idOf, projectId, failures }: BuildContext,
): Promise<TargetRow[]> {
  return eachEntry(failures, "alert_targets", file.alert_targets ?? [], ownName, (entry, at) => {
    if (at >= TARGETS_MAX) throw conflict("errors.alerts.too_many_targets", { max: TARGETS_MAX });
    const form = parseWith(targetForm, { ...entry, name: ownName(entry) });
    const { name, kind, language, active } = form;
    return {
      id: idOf("alert_targets", at),
      project_id: projectId,
      name,
      kind,
      language: language && catalogs.has(language) ? language : "en",
      active: active ?? true,
      allow_private: false,
      settings: checkedSettings(form),
      sealed: null,
      secrets: [],
      host: "",
      failures: 0,
      paused: null,
    };
  });
}

/** Builds the rules of a file. */
export function buildRules(
  file: ReadBackup,
  { idOf, projectId, failures, refer }: BuildContext,
): Promise<RuleRow[]> {
  const nameOf = ({ name }: { name?: string | null }) => name ?? "";
  return eachEntry(failures, "alert_rules", file.alert_rules ?? [], nameOf, (entry, at) => {
    if (at >= RULES_MAX) throw conflict("errors.alerts.too_many_rules", { max: RULES_MAX });
    const { target, channel, templates, views, workflows, ...rest } = entry;
    const idsOf = (kind: NamedKind, names: string[]) =>
      names.map((name) => refer(kind, kind, name)).filter((id) => id !== null);
    const target_id = channel ? channelId(channel) : refer("alert_targets", "target", target);
    if (target_id === null) throw invalidField("target", "errors.alerts.no_target");
    const { repeat, digest, active, project_ids: _, ...form } = parseWith(ruleForm, {
      ...rest,
      target_id,
      template_ids: idsOf("templates", templates),
      view_ids: idsOf("views", views),
      workflow_ids: idsOf("workflows", workflows),
    });
    return {
      ...form,
      id: idOf("alert_rules", at),
      project_id: projectId,
      repeat: repeat ?? "change",
      digest: digest ?? false,
      active: active ?? true,
      project_ids: [],
      quiet: knownQuiet(form.quiet),
    };
  });
}
