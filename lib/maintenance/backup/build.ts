import { environmentBody, SECRETS_MAX } from "../../resources/environments/schema.ts";
import { invalidField } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { gitCredentialBody } from "../../resources/git_credentials/schema.ts";
import { requireFittingKey } from "../../resources/git_credentials/key_rule.ts";
import { inventoryBody } from "../../resources/inventories/schema.ts";
import { certificateField, KEY_TYPES, type KeyRow } from "../../resources/keys/schema.ts";
import { hostAuthorityForm } from "../../resources/known_hosts/authority_schema.ts";
import { projectForm } from "../projects/schema.ts";
import { sshOptionsField } from "../../resources/keys/ssh_options.ts";
import { inventoryKeys } from "../../resources/common/key_list.ts";
import { repositoryBody } from "../../resources/repositories/schema.ts";
import { toolchainForm, type ToolchainRow } from "../../resources/toolchains/schema.ts";
import { newRunner } from "../../runners/new_runner.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import { runnerBody } from "../../runners/schema.ts";
import { nameField } from "../../base/fields.ts";
import { viewForm } from "../../templates/views/schema.ts";
import { viewSettings } from "../../templates/views/service.ts";
import * as z from "zod";
import { eachEntry, findEntry, indexByName, inEntry, type Lookup } from "./entries.ts";
import type { ProjectRows } from "./rows.ts";
import { accessRuleIn } from "./access_rules.ts";
import { type BuildContext, type BuildOptions, ownName, requirePasswordKey } from "./context.ts";
import { buildKeyList } from "./key_list.ts";
import { buildRules, buildTargets } from "./alerts.ts";
import { buildIntegrations } from "./build_integrations.ts";
import { buildStorages, signerOf, sourceOf } from "./secret_storages.ts";
import { buildSchedules } from "./build_schedules.ts";
import { buildTemplates } from "./build_templates.ts";
import { buildWorkflows } from "./build_workflows.ts";
import { BACKUP_KINDS, type ReadBackup } from "./schema.ts";

/**
 * Builds the rows of a backup file, checked by the same rules as typed input. Throws 400 with a
 * sentence that names the wrong entry. Stores nothing.
 */
export async function buildRows(file: ReadBackup, options: BuildOptions): Promise<ProjectRows> {
  const lookup = Object.fromEntries(
    BACKUP_KINDS.map((kind) => [kind, indexByName((file[kind] ?? []).map(fileName))]),
  ) as Lookup;
  const context: BuildContext = {
    ...options,
    failures: options.failures ?? [],
    lookup,
    refer: (kind, field, name) => {
      const at = findEntry(lookup, kind, field, name);
      return at === null ? null : options.idOf(kind, at);
    },
  };
  const secret_storages = await buildStorages(file, context);
  const keys = await buildKeys(file, context);
  const environments = await buildEnvironments(file, context);
  const views = await buildViews(file, context);
  const repositories = await buildRepositories(file, context);
  const inventories = await buildInventories(file, context);
  const templates = await buildTemplates(file, context, keys);
  const { projectId, now } = options;
  return {
    project: {
      ...buildMeta(file),
      toolchain_id: context.refer("toolchains", "toolchain", file.meta.toolchain),
      id: projectId,
      created: now.toISOString(),
    },
    toolchains: await buildToolchains(file, context, keys),
    git_credentials: await buildGitCredentials(file, context, keys),
    secret_storages,
    keys,
    environments,
    views,
    repositories,
    inventories,
    templates,
    workflows: await buildWorkflows(file, context, templates),
    schedules: await buildSchedules(file, context, templates),
    runners: await buildRunners(file, context),
    alert_targets: await buildTargets(file, context),
    alert_rules: await buildRules(file, context),
    ...await buildIntegrations(file, context),
  };
}

/** The name that other entries of the file use for an entry. */
const fileName = (entry: { name?: string | null; title?: string | null }): string =>
  entry.title || entry.name || "";

function buildMeta({ meta }: ReadBackup) {
  return inEntry("meta", "meta", () => {
    const { host_authorities, ...project } = parseWith(metaForm, meta);
    const rows = host_authorities?.map((authority, at) => ({ id: at + 1, ...authority }));
    return { ...project, host_authorities: rows };
  });
}

const metaForm = projectForm.extend({ host_authorities: z.array(hostAuthorityForm).nullish() });

const keyEntryForm = z.object({
  ssh_options: sshOptionsField,
  name: nameField,
  type: z.enum(KEY_TYPES, "errors.unknown_type"),
  certificate: certificateField.transform((line) => line || undefined),
});

function buildKeys(
  { keys }: ReadBackup,
  context: BuildContext,
): Promise<KeyRow[]> {
  const { idOf, projectId, refer, failures } = context;
  return eachEntry(failures, "keys", keys, fileName, (entry, at) => {
    const jump = entry.ssh_options?.jump;
    const key_id = refer("keys", "ssh_options.jump.key", jump?.key);
    const { ssh_options, ...form } = parseWith(keyEntryForm, {
      ...entry,
      name: ownName(entry),
      ssh_options: entry.ssh_options && { ...entry.ssh_options, jump: jump && { ...jump, key_id } },
    });
    return {
      id: idOf("keys", at),
      project_id: projectId,
      ...form,
      ...ssh_options && { ssh_options },
      secret: null,
      ...sourceOf(entry.source, context),
      ...signerOf(entry.certificate_source, context),
    };
  });
}

function buildEnvironments(
  { environments }: ReadBackup,
  context: BuildContext,
) {
  const { idOf, projectId, failures } = context;
  let secretsSoFar = 0;
  return eachEntry(failures, "environments", environments, fileName, (entry, at) => {
    const { secrets: entries, ...rest } = entry;
    const form = parseWith(environmentBody, {
      ...rest,
      name: ownName(entry),
      secrets: entries.map(({ type, name }) => ({ type, name })),
    });
    const { name, json, env } = form;
    const secrets = form.secrets.filter((secret) => secret.operation === "create");
    requireUnlike(secrets);
    return {
      id: idOf("environments", at),
      project_id: projectId,
      name,
      password: null,
      json,
      env,
      secrets: secrets.map(({ type, name }, at) => ({
        id: idOf("environment_secrets", secretsSoFar++),
        type,
        name,
        // Empty: the value must be typed in before the secret can be used.
        sealed: new Uint8Array(0),
        ...sourceOf(entries[at].source, context),
      })),
    };
  });
}

function requireUnlike(secrets: { type: string; name: string }[]): void {
  const unlike = new Set(secrets.map(({ type, name }) => `${type}.${name}`));
  if (unlike.size < secrets.length) {
    throw invalidField("secrets", "errors.environments.same_secret");
  }
  if (secrets.length <= SECRETS_MAX) return;
  throw invalidField("secrets", "errors.environments.too_many_secrets", { max: SECRETS_MAX });
}

function buildViews(
  { views }: ReadBackup,
  { idOf, projectId, failures, people }: BuildContext,
) {
  return eachEntry(failures, "views", views, fileName, (entry, at) => {
    const title = entry.original_name || fileName(entry);
    const { position, ...form } = parseWith(viewForm, {
      ...entry,
      ...accessRuleIn(entry, people),
      title,
    });
    const id = idOf("views", at);
    return { id, project_id: projectId, ...viewSettings(form, {}), position: position ?? at };
  });
}

function buildRunners(
  { runners }: ReadBackup,
  { idOf, projectId, failures, now }: BuildContext,
): Promise<RunnerRow[]> {
  return eachEntry(failures, "runners", runners ?? [], fileName, (entry, at) => {
    const { active, ...form } = parseWith(runnerBody, entry);
    const own = { ...form, project_id: projectId, project_ids: [] };
    return {
      ...newRunner(idOf("runners", at), own, now.toISOString()),
      state: active ? "active" : "paused",
    };
  });
}

function buildToolchains(
  { toolchains }: ReadBackup,
  { idOf, projectId, refer, failures, lookup }: BuildContext,
  keys: KeyRow[],
): Promise<ToolchainRow[]> {
  return eachEntry(failures, "toolchains", toolchains ?? [], fileName, (entry, at) => {
    const { galaxy_key } = entry;
    requirePasswordKey(keys, lookup, "galaxy_key", galaxy_key);
    const galaxy_key_id = refer("keys", "galaxy_key", galaxy_key);
    return {
      id: idOf("toolchains", at),
      project_id: projectId,
      ...parseWith(toolchainForm, { ...entry, name: ownName(entry), galaxy_key_id }),
    };
  });
}

function buildGitCredentials(
  { host_configs }: ReadBackup,
  { idOf, projectId, refer, failures }: BuildContext,
  keys: KeyRow[],
) {
  const hostOf = ({ host }: { host: string }) => host;
  return eachEntry(failures, "host_configs", host_configs ?? [], hostOf, (entry, at) => {
    const ssh_key_id = refer("keys", "ssh_key", entry.ssh_key) ?? undefined;
    const form = parseWith(gitCredentialBody, { ...entry, ssh_key_id });
    requireFittingKey(form, keys.find(({ id }) => id === ssh_key_id));
    return {
      id: idOf("git_credentials", at),
      project_id: projectId,
      name: form.host,
      ...form,
    };
  });
}

function buildRepositories(
  { repositories }: ReadBackup,
  { idOf, projectId, refer, failures }: BuildContext,
) {
  return eachEntry(failures, "repositories", repositories, fileName, (entry, at) => ({
    id: idOf("repositories", at),
    project_id: projectId,
    ...parseWith(repositoryBody, {
      ...entry,
      name: ownName(entry),
      ssh_key_id: refer("keys", "ssh_key", entry.ssh_key) ?? undefined,
    }),
  }));
}

function buildInventories(
  { inventories }: ReadBackup,
  { idOf, projectId, refer, failures }: BuildContext,
) {
  return eachEntry(failures, "inventories", inventories, fileName, (entry, at) => {
    const { ssh_key_id, ssh_key_ids, ssh_key_hosts, ...form } = parseWith(inventoryBody, {
      ...entry,
      name: ownName(entry),
      ssh_key_id: refer("keys", "ssh_key", entry.ssh_key),
      ...buildKeyList(entry.ssh_keys, refer),
      become_key_id: refer("keys", "become_key", entry.become_key),
      repository_id: refer("repositories", "repository", entry.repository),
      toolchain_id: refer("toolchains", "toolchain", entry.toolchain),
    });
    const chosen = inventoryKeys({ ssh_key_id, ssh_key_ids, ssh_key_hosts });
    const { own_key = false, keep_paths = null, toolchain_id = null } = form;
    const own = { id: idOf("inventories", at), project_id: projectId };
    return { ...own, ...form, ...chosen, own_key, keep_paths, toolchain_id };
  });
}
