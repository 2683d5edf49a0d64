import { storedAccessRule } from "../../access/rules/schema.ts";
import { invalidField } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { chooseKeys } from "../../resources/common/key_list.ts";
import type { KeyRow } from "../../resources/keys/schema.ts";
import { storedSurvey } from "../../surveys/schema.ts";
import { askingOf } from "../../tasks/personal.ts";
import { requireUnconfirmedFixes } from "../../templates/rules.ts";
import {
  startVersionOf,
  storedApproval,
  templateForm,
  type TemplateRow,
} from "../../templates/schema.ts";
import { requireCheckTimes } from "../../triggers/schedules/template_checks.ts";
import { accessRuleIn } from "./access_rules.ts";
import { type BuildContext, ownName, parseText, requirePasswordKey } from "./context.ts";
import { eachEntry, findEntry, type Lookup } from "./entries.ts";
import { buildKeyList } from "./key_list.ts";
import { ruleOf } from "./people.ts";
import type { ReadBackup } from "./schema.ts";

type TemplateEntry = ReadBackup["templates"][number];

/** Builds the templates of a file, with all references as ids. */
export function buildTemplates(
  { templates }: ReadBackup,
  context: BuildContext,
  keys: KeyRow[],
): Promise<TemplateRow[]> {
  return eachEntry(context.failures, "templates", templates, ({ name }) => name, (entry, at) => {
    requireBuildSource(templates, context.lookup, at);
    const { refer, idOf, projectId } = context;
    const inventory_id = refer("inventories", "inventory", entry.inventory);
    const [environment_id = null, ...more_environment_ids] = environmentsOf(entry)
      .flatMap((name) => refer("environments", "environment", name) ?? []);
    const {
      vault_key_id: _,
      environment_ids: __,
      ssh_key_ids,
      ssh_key_hosts,
      vaults,
      runner_tag,
      visible_to,
      run_by,
      edit_by,
      ...form
    } = parseWith(templateForm, {
      ...entry,
      ...accessRuleIn(entry, context.people),
      name: ownName(entry),
      inventory_id: inventory_id ?? 1,
      repository_id: refer("repositories", "repository", entry.repository) ?? undefined,
      approval: entry.approval && ruleOf(entry.approval, context.people),
      view_id: refer("views", "view", entry.view),
      toolchain_id: refer("toolchains", "toolchain", entry.toolchain),
      vaults: vaultsOf(entry, context, keys),
      ...buildKeyList(entry.ssh_keys, refer),
      survey_vars: parseText("survey_vars", entry.survey_vars),
      start_version: startVersionOf(entry),
      build_template_id: entry.type === "deploy"
        ? refer("templates", "build_template", entry.build_template)
        : null,
      autorun: entry.type === "deploy" && entry.autorun,
    });
    const ssh_keys = chooseKeys({ ssh_key_ids, ssh_key_hosts }, []);
    const row = {
      id: idOf("templates", at),
      project_id: projectId,
      ...form,
      ...ssh_keys.length > 0 && { ssh_keys },
      survey_vars: storedSurvey(form.survey_vars),
      environment_id,
      more_environment_ids,
      inventory_id,
      vaults: vaults ?? [],
      ...runner_tag,
      ...storedAccessRule({ visible_to, run_by, edit_by }, {}),
      approval: storedApproval(form),
      retry_attempts: form.retry_attempts ?? 0,
      retry_minutes: form.retry_minutes ?? 0,
      check_cron: form.check_cron || null,
      check_after_commit: form.check_after_commit ?? false,
      task_identity: form.task_identity ?? false,
      task_identity_audience: form.task_identity_audience ?? "",
      ...askingOf(form),
      auto_fix: form.auto_fix ?? null,
      toolchain_id: form.toolchain_id ?? null,
      keep_paths: form.keep_paths ?? null,
    };
    requireUnconfirmedFixes(row);
    requireCheckTimes(row);
    return row;
  });
}

/** Names of a template's environments. Up to 2.15 there was one. */
const environmentsOf = ({ environment, environments }: TemplateEntry) =>
  environments?.length ? environments : [environment];

/** Vault passwords of a template. Up to 2.9 there was one key without a name. */
function vaultsOf({ vaults, vault_key }: TemplateEntry, context: BuildContext, keys: KeyRow[]) {
  const entries = vaults.length > 0 || !vault_key ? vaults : [{ name: null, vault_key }];
  return entries.map(({ name, vault_key }, at) => {
    const field = vaults.length > 0 ? `vaults.${at}.vault_key` : "vault_key";
    requirePasswordKey(keys, context.lookup, field, vault_key);
    return { name, vault_key_id: context.refer("keys", field, vault_key) };
  });
}

/** Maximum number of templates behind a deploy template, down to the build. */
const CHAIN_MAX = 20;

/**
 * Throws unless each deploy template deploys a build or another deploy template, without a cycle.
 */
function requireBuildSource(templates: readonly TemplateEntry[], lookup: Lookup, at: number) {
  const field = "build_template";
  const seen = new Set([at]);
  for (let entry = templates[at]; entry.type === "deploy";) {
    const next = findEntry(lookup, "templates", field, entry.build_template);
    if (next === null) return; // reported when it runs, as for any deploy without a build
    if (seen.has(next)) throw invalidField(field, "errors.templates.build_cycle");
    if (seen.size > CHAIN_MAX) {
      throw invalidField(field, "errors.templates.build_chain_too_long", { max: CHAIN_MAX });
    }
    seen.add(next);
    entry = templates[next];
    if (!entry.type) throw invalidField(field, "errors.templates.not_a_build");
  }
}
