import { requireUsableRule } from "../access/rules/require.ts";
import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { invalidField } from "../base/errors.ts";
import { guardReferences, guardTargets, inUse, nameReferences } from "../store/references.ts";
import type { Atomic, Store } from "../store/store.ts";
import { notInProject, readTargets, type WantedReferences } from "../references/service.ts";
import { needsPerson, personalOf, unattendedKey } from "../tasks/personal.ts";
import { mayAutoFix } from "../drift/auto_fix.ts";
import { templateRows } from "./repository.ts";
import type { TemplateRow } from "./schema.ts";
import { requirePasswordKeys, requireSshKeys } from "../resources/common/key_rules.ts";

/** Maximum number of templates behind a deploy template, down to the build. */
const CHAIN_MAX = 20;

/** Throws if a target of the template is not in its project, or a key has the wrong type. */
export async function requireTargets(kv: Store, op: Atomic, row: TemplateRow) {
  const wanted: WantedReferences = {
    repository_id: ["repositories", row.repository_id],
    inventory_id: row.inventory_id === null ? null : ["inventories", row.inventory_id],
    environment_id: row.environment_id === null ? null : ["environments", row.environment_id],
    view_id: row.view_id === null ? null : ["views", row.view_id],
    build_template_id: row.build_template_id === null ? null : ["templates", row.build_template_id],
    toolchain_id: row.toolchain_id ? ["toolchains", row.toolchain_id] : null,
  };
  const vaultFields = row.vaults.map(({ vault_key_id }, n) => {
    const field = `vaults.${n}.vault_key_id`;
    wanted[field] = vault_key_id === null ? null : ["keys", vault_key_id];
    return field;
  });
  for (const [n, id] of row.more_environment_ids.entries()) {
    wanted[`environment_ids.${n + 1}`] = ["environments", id];
  }
  const keyFields = (row.ssh_keys ?? []).map(({ id }, n) => {
    const field = `ssh_key_ids.${n}`;
    wanted[field] = ["keys", id];
    return field;
  });
  const targets = await readTargets(kv, op, row.project_id, wanted);
  requirePasswordKeys(targets, vaultFields);
  requireSshKeys(targets, keyFields);
}

/**
 * Throws unless its view and the template that it deploys are ones that the actor sees, and their
 * rule is usable. `stored` is null for a new template. Only people who may edit a view change what
 * its rule holds for: its templates follow the rule, so those who may change one of them and take
 * it out could change the rule as well, and to add one asks for the view itself.
 */
export async function requireTemplateRights(
  scope: ProjectScope<"manage_resources">,
  row: TemplateRow,
  stored: TemplateRow | null,
): Promise<void> {
  const { view_id, build_template_id } = row;
  const sight = await sightOf(scope);
  if (view_id !== null && view_id !== stored?.view_id) {
    if (!sight.maySee("views", view_id)) throw notInProject("view_id");
    if (!sight.mayEdit("views", view_id)) throw invalidField("view_id", "errors.access.view");
  }
  const isOther = build_template_id !== (stored?.build_template_id ?? null);
  if (isOther && build_template_id !== null && !sight.maySee("templates", build_template_id)) {
    throw notInProject("build_template_id");
  }
  await requireUsableRule(scope, row, stored ?? {});
}

/**
 * Throws 400 for a template whose tasks only people can start, but that starts them by itself, or
 * that would sign in on hosts both with a key and with a password of the starter.
 */
export function requireOneSecret({ own_key, ask_ssh_password, ...row }: TemplateRow): void {
  if (own_key && ask_ssh_password) {
    throw invalidField("ask_ssh_password", "errors.personal.key_or_password");
  }
  const personal = personalOf({ own_key, ask_ssh_password, ...row }, null);
  if (!needsPerson(personal)) return;
  if (row.autorun) throw invalidField("autorun", "errors.personal.autorun");
  if (row.check_cron || row.check_after_commit) {
    throw invalidField("check_cron", unattendedKey(personal));
  }
  if (row.auto_fix) throw invalidField("auto_fix.hosts", unattendedKey(personal));
}

/**
 * Throws unless a deploy template deploys a build or another deploy template, without a cycle. The
 * commit fails if a template in the chain changes, so two parallel changes cannot create a cycle.
 */
export async function requireBuildSource(
  kv: Store,
  op: Atomic,
  row: TemplateRow,
): Promise<void> {
  const refuse = (key: string, params = {}) => invalidField("build_template_id", key, params);
  const seen = new Set([row.id]);
  await guardTargets(kv, op, row.project_id);
  for (let next = row.build_template_id; next !== null;) {
    if (seen.has(next)) throw refuse("errors.templates.build_cycle");
    if (seen.size > CHAIN_MAX) {
      throw refuse("errors.templates.build_chain_too_long", { max: CHAIN_MAX });
    }
    seen.add(next);
    const source = await templateRows.find(kv, row.project_id, next);
    if (!source || source.row.type === "") throw refuse("errors.templates.not_a_build");
    next = source.row.build_template_id;
  }
}

/** Throws 400 if checks of a template could fix something that a person has to confirm. */
export function requireUnconfirmedFixes(row: TemplateRow): void {
  if (!row.auto_fix || mayAutoFix(row)) return;
  throw invalidField("auto_fix.hosts", "errors.drift.auto_fix_confirmed");
}

/** Throws 409 if a template that others deploy would become neither build nor deploy. */
export async function requireBuildUse(
  kv: Store,
  op: Atomic,
  { type, project_id: projectId, id }: TemplateRow,
): Promise<void> {
  if (type !== "") return;
  const usedBy = await guardReferences(kv, op, projectId, ["templates", id]);
  const deploys = usedBy.filter(([kind]) => kind === "templates");
  if (deploys.length === 0) return;
  throw inUse("errors.templates.type_in_use", await nameReferences(kv, projectId, deploys));
}
