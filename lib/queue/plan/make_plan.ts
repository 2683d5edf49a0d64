import type { Deps } from "../../access/deps.ts";
import type { Secret } from "../../base/secret.ts";
import { paths } from "../../base/paths.ts";
import { literalVars } from "../../execution/ansible/literal.ts";
import type { AnsiblePlan, InventoryPlan, RequirementsPlan } from "../../execution/ansible/plan.ts";
import type { PlanKey, RepositoryPlan, TaskDetails } from "../../execution/run/plan.ts";
import { isPreviewing } from "../../tasks/preview_state.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isPersonal } from "../../tasks/personal.ts";
import { isPinned } from "../../tasks/pin_store.ts";
import { readHostNames } from "../../tasks/host_store.ts";
import { parseStrings } from "../../tasks/start_form.ts";
import { readTaskArguments, type TaskArguments } from "../inputs/arguments.ts";
import { addIdentities } from "../../execution/sources/resolve.ts";
import { identityVariables, issueIdentity } from "./identity.ts";
import { requireApprovedInputs } from "../inputs/approved.ts";
import { type Checked, pinGuard, pinOf } from "../inputs/pins.ts";
import { type PersonalSecrets, readPersonal } from "../inputs/personal.ts";
import { requireSameAccess } from "../inputs/pinned_access.ts";
import { variablesOf } from "./plan_variables.ts";
import { AppError } from "../../base/errors.ts";
import { inventoryRows } from "../../resources/inventories/repository.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { requirementGeneration } from "../../resources/repositories/requirements.ts";
import { hostKeysOf } from "../../resources/host_keys.ts";
import { listedKeys } from "../../resources/common/key_list.ts";
import { presentToolchain } from "../../resources/toolchains/choose.ts";
import { toolchainWithToken } from "../../resources/toolchains/plan.ts";
import { present } from "../../resources/common/present.ts";
import { keyOf } from "../../resources/keys/plan_key.ts";
import { repositoryPlan, type WantedCommit } from "../../resources/run_resources.ts";

/**
 * Returns everything needed to execute `task`, with decrypted secrets. It is read at the start and
 * never stored. Throws AppError if a part was deleted, has lost its secret, or is not as the task's
 * preview found it or its approval confirmed it.
 */
export async function makePlan(deps: Deps, task: TaskRow): Promise<AnsiblePlan> {
  const { project_id: projectId } = task;
  const previewing = isPreviewing(task);
  const checked = await pinGuard(deps, task);
  const personal = await readPersonal(deps, task);
  const [repository, inventory, { extraVars, ...variables }, vaults, identity] = await Promise.all([
    repositoryFor(deps, task, checked),
    inventoryOf(deps, task, checked, personal),
    variablesOf(deps, task, checked),
    vaultsOf(deps, task, personal),
    identityVariables(deps, task),
  ]);
  const hosts = await readHostNames(deps.kv, task);
  const toolchain = task.toolchain_id === undefined
    ? null
    : checked("toolchain", await presentToolchain(deps.kv, projectId, task.toolchain_id));
  const own = argumentsOf(task);
  const requirements = await requirementsOf(deps, task);
  const plan: AnsiblePlan = {
    taskId: task.id,
    projectId,
    playbook: task.playbook,
    ...task.working_directory !== undefined && { workingDirectory: task.working_directory },
    repository,
    inventory,
    // The task's own variables have a lower precedence than those of the project's managers.
    extraVars: { ...literalVars(own.variables), ...extraVars },
    ...variables,
    secretEnv: { ...variables.secretEnv, ...identity },
    vaults,
    ...task.keeps && { keeps: task.keeps },
    debug: task.debug,
    dryRun: task.dry_run || previewing,
    diff: task.diff,
    previewDiff: previewing || task.check === true,
    limit: hosts || task.limit.length === 0 ? null : task.limit.join(","),
    ...hosts && { hosts },
    ...task.retry_of?.start_at && { startAt: task.retry_of.start_at },
    tags: task.tags,
    skipTags: task.skip_tags,
    arguments: [...wordsOf(task.template_arguments), ...own.words],
    skipGalaxyInstall: task.skip_galaxy_install,
    ...requirements && { requirements },
    fullResults: fullBytesOf(deps, task) > 0,
    // Check mode leaves out what would find most of them.
    keepsOutputs: !previewing && !task.check,
    details: detailsOf(deps, task),
    ...toolchain && { toolchain: await toolchainWithToken(deps, toolchain) },
  };
  await addIdentities(plan, (audience) => issueIdentity(deps, task, audience));
  if (isPersonal(task)) await requireSameAccess(deps, task, await pinOf(deps, task));
  await requireApprovedInputs(deps, task);
  return plan;
}

/**
 * Returns how many bytes of module answers may be stored. Both the server and the template can
 * limit it.
 */
export const fullBytesOf = ({ config }: Pick<Deps, "config">, task: TaskRow): number =>
  task.suppress_full_results ? 0 : config.fullResultBytesMax;

const detailsOf = (deps: Deps, task: TaskRow): TaskDetails => ({
  message: task.message,
  username: task.username ?? "",
  url: taskUrl(deps, task),
  type: task.template_type,
  incomingVersion: task.incoming_version,
  targetVersion: task.version,
});

const wordsOf = (text: string | null): string[] => text ? parseStrings(text) ?? [] : [];

/** Returns the task's own arguments. Those of people who may only run tasks are checked. */
function argumentsOf(
  { arguments: text, arguments_checked }: TaskRow,
): Pick<TaskArguments, "words" | "variables"> {
  const words = wordsOf(text);
  return arguments_checked ? readTaskArguments(words) : { words, variables: {} };
}

/** Returns the address of the task's page; null if the server's own address is not configured. */
function taskUrl({ config }: Pick<Deps, "config">, task: TaskRow): string | null {
  if (!config.url) return null;
  return config.url.href.replace(/(?<!\/)\/+$/, "") +
    paths.task(task.project_id, task.template_id, task.id);
}

/** Returns what a run should know about requirements; undefined for nothing. */
async function requirementsOf(
  { kv }: Deps,
  { project_id, repository_id, requirements: same }: TaskRow,
): Promise<RequirementsPlan | undefined> {
  const generation = await requirementGeneration(kv, project_id, repository_id);
  return same || generation ? { ...same && { same }, ...generation && { generation } } : undefined;
}

/** Returns the playbook's repository. */
const repositoryFor = (
  deps: Deps,
  task: TaskRow,
  checked: Checked,
): Promise<RepositoryPlan> =>
  checkedRepository(deps, task, checked, task.repository_id, {
    branch: task.git_branch,
    commit: task.commit_hash,
    ofBranch: task.commit_asked,
  });

async function checkedRepository(
  deps: Deps,
  { project_id: projectId }: TaskRow,
  checked: Checked,
  id: number,
  wanted: WantedCommit,
): Promise<RepositoryPlan> {
  const row = await present("repository", repositoryRows.find(deps.kv, projectId, id));
  return await repositoryPlan(deps, projectId, checked("repository", row), wanted);
}

async function inventoryOf(
  deps: Deps,
  task: TaskRow,
  checked: Checked,
  { key, passwords }: PersonalSecrets,
): Promise<InventoryPlan> {
  const { project_id: projectId } = task;
  const row = isPinned(task)
    ? (await pinOf(deps, task)).inventory
    : await present("inventory", inventoryRows.find(deps.kv, projectId, task.inventory_id));
  const stored = () => hostKeysOf(deps, projectId, [...task.ssh_keys ?? [], ...listedKeys(row)]);
  return {
    type: row.type,
    content: row.inventory,
    repository: row.repository_id === null || row.repository_id === task.repository_id
      ? null
      : await checkedRepository(deps, task, checked, row.repository_id, {
        commit: commitOf(task),
      }),
    ...key
      ? { userKey: key }
      : passwords.ssh
      ? { userKey: withPassword(passwords.ssh, (await stored()).userKey) }
      : await stored(),
    becomeKey: row.become_key_id === null && !passwords.become ? null : withPassword(
      passwords.become,
      await becomeKeyOf(deps, projectId, row.become_key_id),
    ),
  };
}

/**
 * Returns the commit of the preview for an inventory file's repository. Without a preview, the
 * latest is used.
 */
const commitOf = ({ preview, inventory_commit }: TaskRow) => preview ? inventory_commit : undefined;

/** Returns a stored key. A password that the starter was asked for replaces its secret. */
function withPassword(password: Secret | undefined, key: PlanKey): PlanKey {
  if (!password) return key;
  return { type: "login_password", login: key.type === "none" ? "" : key.login, password };
}

async function becomeKeyOf(deps: Deps, projectId: number, id: number | null): Promise<PlanKey> {
  const key = await keyOf(deps, projectId, id);
  if (key.type === "ssh") throw new AppError(400, "errors.run.become_key");
  return key;
}

/**
 * Returns the passwords of a task's vaults. A vault whose key has type "none" is left out. A
 * password that the starter was asked for is that of the vault without a name.
 */
async function vaultsOf(
  deps: Deps,
  { project_id, vaults }: TaskRow,
  { passwords: { vault: password } }: PersonalSecrets,
) {
  const stored = vaults.filter(({ name }) =>
    !password || (name || DEFAULT_VAULT) !== DEFAULT_VAULT
  );
  const found = await Promise.all(stored.map((vault) => vaultOf(deps, project_id, vault)));
  const asked = password ? [{ name: DEFAULT_VAULT, password }] : [];
  return [...asked, ...found.filter((vault) => vault !== null)];
}

const DEFAULT_VAULT = "default";

async function vaultOf(
  deps: Deps,
  projectId: number,
  { vault_key_id, name }: TaskRow["vaults"][number],
) {
  const key = await keyOf(deps, projectId, vault_key_id);
  if (key.type === "none") return null;
  if (key.type !== "login_password") throw new AppError(400, "errors.run.vault_key");
  return { name: name || DEFAULT_VAULT, password: key.password };
}
