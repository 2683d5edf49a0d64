import { listRuleRows } from "../../alerts/rules/repository.ts";
import type { RuleRow as AlertRuleRow } from "../../alerts/rules/schema.ts";
import { listTargetRows } from "../../alerts/targets/repository.ts";
import type { TargetRow } from "../../alerts/targets/rows.ts";
import { environmentIds, type TemplateRow } from "../../templates/schema.ts";
import { environmentRows } from "../../resources/environments/repository.ts";
import type { EnvironmentRow } from "../../resources/environments/schema.ts";
import { OVERTAKEN, retryOvertaken } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { getProjectAliases, integrationRows } from "../../triggers/integrations/repository.ts";
import type { AliasRow, IntegrationRow } from "../../triggers/integrations/schema.ts";
import { gitCredentialRows } from "../../resources/git_credentials/repository.ts";
import type { GitCredentialRow } from "../../resources/git_credentials/schema.ts";
import { inventoryRows } from "../../resources/inventories/repository.ts";
import type { InventoryRow } from "../../resources/inventories/schema.ts";
import { keyRows } from "../../resources/keys/repository.ts";
import { listedKeys } from "../../resources/common/key_list.ts";
import type { ListedKey } from "../../model/template_row.ts";
import type { KeyRow } from "../../resources/keys/schema.ts";
import { secretStorageRows } from "../../resources/secret_storages/repository.ts";
import type { SecretSource, SecretStorageRow } from "../../resources/secret_storages/schema.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import type { RepositoryRow } from "../../resources/repositories/schema.ts";
import { listRunners } from "../../runners/repository.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import { scheduleRows } from "../../triggers/schedules/repository.ts";
import type { ScheduleRow } from "../../triggers/schedules/schema.ts";
import { templateRows } from "../../templates/repository.ts";
import { workflowRows, workflowTargets } from "../../workflows/repository.ts";
import type { WorkflowRow } from "../../workflows/schema.ts";
import type { TriggerTarget } from "../../triggers/trigger_target.ts";
import { toolchainRows } from "../../resources/toolchains/repository.ts";
import type { ToolchainRow } from "../../resources/toolchains/schema.ts";
import { viewRows } from "../../templates/views/repository.ts";
import type { ViewRow } from "../../templates/views/schema.ts";

/** The rows of a project that a backup holds. */
export interface ProjectRows {
  project: ProjectRow;
  secret_storages: SecretStorageRow[];
  keys: KeyRow[];
  environments: EnvironmentRow[];
  views: ViewRow[];
  repositories: RepositoryRow[];
  inventories: InventoryRow[];
  templates: TemplateRow[];
  workflows: WorkflowRow[];
  schedules: ScheduleRow[];
  integrations: IntegrationRow[];
  runners: RunnerRow[];
  alert_targets: TargetRow[];
  alert_rules: AlertRuleRow[];
  git_credentials: GitCredentialRow[];
  toolchains: ToolchainRow[];
  /** Addresses that reach all searchable integrations. */
  aliases: AliasRow[];
}

const ATTEMPTS_MAX = 8;

/**
 * Reads a project's rows. Reads again if a change meanwhile left a row with a missing reference.
 */
export const readProjectRows = (kv: Store, project: ProjectRow): Promise<ProjectRows> =>
  retryOvertaken(async () => {
    // Referring rows are read before their targets, so that the target of a new row is not missed.
    const { id } = project;
    const alert_rules = await listRuleRows(kv, id);
    const alert_targets = await listTargetRows(kv, id);
    const { aliases } = await getProjectAliases(kv, id);
    const runners = (await listRunners(kv))
      .filter(({ project_id, one_off }) => project_id === id && !one_off);
    const integrations = await integrationRows.list(kv, id);
    const schedules = await scheduleRows.list(kv, id);
    const workflows = await workflowRows.list(kv, id);
    const templates = await templateRows.list(kv, id);
    const inventories = await inventoryRows.list(kv, id);
    const repositories = await repositoryRows.list(kv, id);
    const views = await viewRows.list(kv, id);
    const environments = await environmentRows.list(kv, id);
    const git_credentials = await gitCredentialRows.list(kv, id);
    const toolchains = await toolchainRows.list(kv, id);
    const keys = await keyRows.list(kv, id);
    const secret_storages = await secretStorageRows.list(kv, id);
    const rows = {
      project,
      secret_storages,
      keys,
      environments,
      views,
      repositories,
      inventories,
      templates,
      workflows,
      schedules,
      integrations,
      runners,
      alert_targets,
      alert_rules,
      git_credentials,
      toolchains,
      aliases,
    };
    return isComplete(rows) ? rows : OVERTAKEN;
  }, ATTEMPTS_MAX);

function isComplete(rows: ProjectRows): boolean {
  const ids = {
    secret_storages: idsOf(rows.secret_storages),
    keys: idsOf(rows.keys),
    environments: idsOf(rows.environments),
    views: idsOf(rows.views),
    repositories: idsOf(rows.repositories),
    inventories: idsOf(rows.inventories),
    templates: idsOf(rows.templates),
    workflows: idsOf(rows.workflows),
    alert_targets: idsOf(rows.alert_targets),
  };
  const has = (kind: keyof typeof ids, id: number | null) => id === null || ids[kind].has(id);
  const hasKeys = (list: ListedKey[]) => list.every(({ id }) => has("keys", id));
  const hasTarget = ({ template_id, workflow_id }: TriggerTarget) =>
    has("templates", template_id) && has("workflows", workflow_id);
  const hasStorage = ({ source }: { source?: Pick<SecretSource, "storage_id"> }) =>
    has("secret_storages", source?.storage_id ?? null);
  return rows.keys.every(({ ssh_options }) => has("keys", ssh_options?.jump?.key_id ?? null)) &&
    rows.keys.every((row) => hasStorage(row) && hasStorage({ source: row.certificate_source })) &&
    rows.environments.every(({ secrets }) => secrets.every(hasStorage)) &&
    rows.repositories.every((row) => has("keys", row.ssh_key_id)) &&
    rows.git_credentials.every((row) => has("keys", row.ssh_key_id)) &&
    rows.toolchains.every(({ galaxy_key_id }) => has("keys", galaxy_key_id)) &&
    rows.inventories.every((row) =>
      hasKeys(listedKeys(row)) && has("keys", row.become_key_id) &&
      has("repositories", row.repository_id)
    ) &&
    rows.templates.every((row) =>
      has("repositories", row.repository_id) && has("inventories", row.inventory_id) &&
      environmentIds(row).every((id) => has("environments", id)) && has("views", row.view_id) &&
      has("templates", row.build_template_id) && hasKeys(row.ssh_keys ?? []) &&
      row.vaults.every(({ vault_key_id }) => has("keys", vault_key_id))
    ) &&
    rows.workflows.every((row) => workflowTargets(row).every(([kind, id]) => has(kind, id))) &&
    rows.schedules.every((row) => hasTarget(row) && has("repositories", row.repository_id)) &&
    rows.integrations.every((row) => hasTarget(row) && has("keys", row.auth_secret_id)) &&
    rows.alert_rules.every(({ target_id }) => target_id < 0 || has("alert_targets", target_id));
}

const idsOf = (rows: { id: number }[]) => new Set(rows.map(({ id }) => id));
