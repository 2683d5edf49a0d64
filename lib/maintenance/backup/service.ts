import { lacksSecret } from "../../resources/secret_storages/params.ts";
import type { CreatorScope, ProjectScope } from "../../access/scope.ts";
import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { missingSecrets } from "../../alerts/targets/settings.ts";
import { isStale, orOvertaken, retryOvertaken } from "../../store/transact.ts";
import type { IntegrationRow } from "../../triggers/integrations/schema.ts";
import { nextId, nextIds } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import type { ProjectView } from "../projects/schema.ts";
import { sealUrl } from "../../resources/repositories/sealed_url.ts";
import { HIDDEN, userinfoOf, withoutHidden } from "../../execution/git/userinfo.ts";
import { chooseAliases } from "./choose_aliases.ts";
import { buildRows } from "./build.ts";
import type { IdKind } from "./context.ts";
import { exportProject } from "./export.ts";
import { fillSecrets, type RestoreSecrets } from "./fill_secrets.ts";
import { usernamesIn } from "./people.ts";
import { plantProject } from "./plant.ts";
import { type ProjectRows, readProjectRows } from "./rows.ts";
import type {
  BackupFile,
  BackupFormat,
  RestoreAnswer,
  RestoreReport,
  SentBackup,
} from "./schema.ts";
import { takeBackup, type Taken } from "./take.ts";

/** Returns a project's backup file, and a file name for its download. */
export async function backUpProject(
  { deps, projectId, project }: ProjectScope<"update_project">,
  format: BackupFormat = "2.10",
): Promise<{ file: BackupFile; fileName: string }> {
  const rows = await readProjectRows(deps.kv, project);
  const fileName = `backup_${projectId}_${deps.clock.now().getTime()}.json`;
  const usernames = await usernamesIn(deps.kv, rows);
  return { file: exportProject(rows, format, usernames), fileName };
}

const ATTEMPTS_MAX = 5;

interface RestoreOptions {
  /** Only reports what would be created. */
  dryRun?: boolean;
  /** Rejects the file if one entry cannot be restored, instead of leaving that entry out. */
  strict?: boolean;
  /** Secrets from outside the file, which has none. */
  secrets?: RestoreSecrets;
  /** Receives the ids of the new rows once the project is stored. */
  onMade?: (made: MadeIds) => void;
}

/** Ids of rows by their names in the file. */
export type MadeIds = Record<"templates" | "inventories", Map<string, number>>;

/** Dependencies of a restore. Scripts have no more than these. */
export type RestoreDeps = Pick<Deps, "kv" | "clock" | "config" | "log" | "secrets">;

/**
 * Creates a project from a backup file, from everything that can be restored. Stores nothing if it
 * fails.
 */
export async function restoreProject(
  { deps, actor }: CreatorScope<RestoreDeps>,
  sent: SentBackup,
  { strict = false, ...options }: RestoreOptions = {},
): Promise<RestoreAnswer> {
  // Checked with counted ids first, so that no id is allocated for a wrong file.
  const taken = await takeBackup(deps.kv, sent, deps.clock.now(), strict);
  // If another restore claims one of the addresses meanwhile, the next attempt replaces it.
  const attempt = () => orOvertaken(restore(deps, actor, taken, options), isStale);
  return await retryOvertaken(attempt, ATTEMPTS_MAX);
}

async function restore(
  deps: RestoreDeps,
  actor: UserActor,
  { file, draft, people, ...rest }: Taken,
  { dryRun = false, secrets, onMade }: RestoreOptions,
): Promise<RestoreAnswer> {
  const filled = async (rows: ProjectRows) =>
    secrets ? await fillSecrets(deps.secrets, file, rows, secrets) : rows;
  const aliases = await chooseAliases(deps.kv, draft);
  const report = { ...reportOf(await filled(draft)), ...rest, new_aliases: aliases.changed };
  if (dryRun) {
    const { id: _, created: __, ...project } = projectView(draft);
    return { ...project, dry_run: true, report };
  }
  const ids = await allocateIds(deps.kv, draft);
  const projectId = await nextId(deps.kv, "projects");
  const rows = await buildRows(file, {
    projectId,
    now: deps.clock.now(),
    people,
    idOf: (kind, at) => ids[kind][at],
  });
  await plantProject(deps, actor, aliases.applyTo(await sealUrls(deps, await filled(rows))));
  const idsOf = (kind: keyof MadeIds) =>
    new Map(file[kind].map(({ name }, at) => [name, rows[kind][at].id]));
  onMade?.({ templates: idsOf("templates"), inventories: idsOf("inventories") });
  return { ...projectView(rows), dry_run: false, report };
}

/** Seals tokens in URLs, because other servers write them into their files. */
async function sealUrls({ secrets }: RestoreDeps, rows: ProjectRows): Promise<ProjectRows> {
  const repositories = rows.repositories.map(async (row) => ({
    ...row,
    ...await sealUrl(secrets, withoutHidden(row.git_url)),
  }));
  return { ...rows, repositories: await Promise.all(repositories) };
}

async function allocateIds(kv: Store, rows: ProjectRows): Promise<Record<IdKind, number[]>> {
  const allocate = (kind: IdKind, count: number) => nextIds(kv, kind, count);
  const count = (parts: (row: IntegrationRow) => unknown[]) =>
    rows.integrations.reduce((sum, row) => sum + parts(row).length, 0);
  const secrets = rows.environments.reduce((sum, { secrets }) => sum + secrets.length, 0);
  return {
    secret_storages: await allocate("secret_storages", rows.secret_storages.length),
    keys: await allocate("keys", rows.keys.length),
    environments: await allocate("environments", rows.environments.length),
    environment_secrets: await allocate("environment_secrets", secrets),
    views: await allocate("views", rows.views.length),
    repositories: await allocate("repositories", rows.repositories.length),
    inventories: await allocate("inventories", rows.inventories.length),
    templates: await allocate("templates", rows.templates.length),
    workflows: await allocate("workflows", rows.workflows.length),
    runners: await allocate("runners", rows.runners.length),
    alert_targets: await allocate("alert_targets", rows.alert_targets.length),
    alert_rules: await allocate("alert_rules", rows.alert_rules.length),
    toolchains: await allocate("toolchains", rows.toolchains.length),
    git_credentials: await allocate("git_credentials", rows.git_credentials.length),
    schedules: await allocate("schedules", rows.schedules.length),
    integrations: await allocate("integrations", rows.integrations.length),
    integration_matchers: await allocate("integration_matchers", count(({ matchers }) => matchers)),
    integration_values: await allocate("integration_values", count(({ values }) => values)),
    aliases: await allocate("aliases", count(({ aliases }) => aliases) + rows.aliases.length),
  };
}

function projectView({ project }: ProjectRows): ProjectView {
  const { deleting: _, only_runners, toolchain_id = null, ...view } = project;
  return { ...view, only_runners: only_runners ?? false, toolchain_id };
}

/**
 * Reports what restoring these rows creates, and which secrets must be typed in again afterwards.
 */
function reportOf(rows: ProjectRows): Pick<RestoreReport, "creates" | "secrets"> {
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  return {
    creates: {
      secret_storages: names(rows.secret_storages),
      keys: names(rows.keys),
      environments: names(rows.environments),
      views: rows.views.map(({ title }) => title),
      repositories: names(rows.repositories),
      inventories: names(rows.inventories),
      templates: names(rows.templates),
      workflows: names(rows.workflows),
      schedules: rows.schedules.map(({ name, cron_format, run_at }) =>
        name || cron_format || run_at || ""
      ),
      integrations: names(rows.integrations),
      runners: names(rows.runners),
      alert_targets: names(rows.alert_targets),
      alert_rules: names(rows.alert_rules),
      toolchains: names(rows.toolchains),
      host_configs: rows.git_credentials.map(({ host }) => host),
    },
    secrets: [
      ...rows.secret_storages.filter(lacksSecret)
        .map(({ name, type }) => ({
          kind: "secret_storage" as const,
          name,
          type,
          variable: "secret",
        })),
      ...rows.keys.filter(({ type, secret, source }) =>
        type !== "none" && secret === null && !source
      )
        .map(({ name, type }) => ({ kind: "key" as const, name, type, variable: null })),
      ...rows.environments.flatMap(({ name, secrets }) =>
        secrets.filter(({ sealed, source }) => sealed.length === 0 && !source).map((secret) => ({
          kind: "environment" as const,
          name,
          type: secret.type,
          variable: secret.name,
        }))
      ),
      ...rows.repositories.filter(({ git_url }) => userinfoOf(git_url) === HIDDEN)
        .map(({ name }) => ({ kind: "repository" as const, name, type: "login", variable: null })),
      ...rows.alert_targets.flatMap((row) =>
        missingSecrets(row).map((variable) => ({
          kind: "alert_target" as const,
          name: row.name,
          type: row.kind,
          variable,
        }))
      ),
    ],
  };
}
