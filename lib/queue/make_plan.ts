import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import { environmentRows } from "../parts/environments/repository.ts";
import type { RepositoryPlan, RunPlan, Secret } from "../execution/run/plan.ts";
import { inventoryRows } from "../parts/inventories/repository.ts";
import { keyRows } from "../parts/keys/repository.ts";
import { openSecret } from "../parts/keys/secret.ts";
import { environmentIds } from "../templates/schema.ts";
import { repositoryRows } from "../parts/repositories/repository.ts";
import { openUrl } from "../parts/repositories/sealed_url.ts";
import { literalVars } from "../execution/ansible/literal.ts";
import { paths } from "../base/paths.ts";
import { readTaskArguments, type TaskArguments } from "./arguments.ts";
import { byteLength } from "../base/fields.ts";
import { readAnswers, readSecretAnswers } from "../tasks/answer_store.ts";
import { parseStrings, type TaskRow } from "../tasks/schema.ts";

/**
 * Everything a run of `task` needs, secrets decrypted: read when the run starts, never stored.
 * Throws AppError when something that it uses was deleted or has no secret any more.
 */
export async function makePlan(deps: Deps, task: TaskRow): Promise<RunPlan> {
  const [inventory, environment, secretAnswers, vaults] = await Promise.all([
    inventoryOf(deps, task),
    environmentOf(deps, task),
    secretAnswersOf(deps, task),
    Promise.all(task.vaults.map((vault) => vaultOf(deps, task.project_id, vault))),
  ]);
  const own = argumentsOf(task);
  const answers = JSON.parse(await readAnswers(deps.kv, task)) as Record<string, unknown>;
  const toEnvironment = new Set(task.environment_targets);
  const split = <T>(of: Record<string, T>, wanted: boolean) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => toEnvironment.has(name) === wanted));
  const texts = (of: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, String(value)]));
  const env = { ...environment.env, ...texts(split(answers, true)) };
  const secretEnv = { ...environment.secretEnv, ...split(secretAnswers, true) };
  requireFitting({ ...env, ...secretEnv });
  return {
    taskId: task.id,
    projectId: task.project_id,
    templateId: task.template_id,
    playbook: task.playbook,
    repository: await repositoryOf(deps, task.project_id, task.repository_id, {
      branch: task.git_branch,
      commit: task.commit_hash,
      ofBranch: task.commit_asked,
    }),
    inventory,
    // Theirs go below all that the project's managers have set.
    extraVars: { ...literalVars(own.variables), ...environment.json },
    answers: split(answers, false),
    secretVars: { ...environment.secretVars, ...split(secretAnswers, false) },
    env,
    secretEnv,
    vaults,
    debug: task.debug,
    dryRun: task.dry_run,
    diff: task.diff,
    limit: task.limit.length > 0 ? task.limit.join(",") : null,
    tags: task.tags,
    skipTags: task.skip_tags,
    arguments: [...wordsOf(task.template_arguments), ...own.words],
    skipGalaxyInstall: task.skip_galaxy_install,
    details: {
      message: task.message,
      username: task.username ?? "",
      url: taskUrl(deps, task),
      type: task.template_type,
      incomingVersion: task.incoming_version,
      targetVersion: task.version,
    },
  };
}

const wordsOf = (text: string | null): string[] => text ? parseStrings(text) ?? [] : [];

/** The task's own arguments: as they were sent, or what of them is for who may only run tasks. */
function argumentsOf({ arguments: text, arguments_checked }: TaskRow): TaskArguments {
  const words = wordsOf(text);
  return arguments_checked ? readTaskArguments(words) : { words, variables: {} };
}

/** What Linux takes of one variable with its name, and of all that a process begins with. */
const VARIABLE_BYTES_MAX = 128 * 1024 - 1;
const VARIABLES_BYTES_MAX = 1024 * 1024;

/** Throws AppError for variables that no process can be started with. */
function requireFitting(variables: Record<string, string>): void {
  let sum = 0;
  for (const [name, value] of Object.entries(variables)) {
    const bytes = byteLength(`${name}=${value}`);
    if (bytes > VARIABLE_BYTES_MAX) {
      const params = { name, max: VARIABLE_BYTES_MAX };
      throw new AppError(400, "errors.run.variable_too_long", params);
    }
    sum += bytes;
  }
  if (sum <= VARIABLES_BYTES_MAX) return;
  throw new AppError(400, "errors.run.variables_too_long", { max: VARIABLES_BYTES_MAX });
}

/** Address of the task's page; null when this server was not told its own address. */
function taskUrl({ config }: Pick<Deps, "config">, task: TaskRow): string | null {
  if (!config.url) return null;
  return config.url.href.replace(/(?<!\/)\/+$/, "") +
    paths.task(task.project_id, task.template_id, task.id);
}

async function inventoryOf(deps: Deps, task: TaskRow): Promise<RunPlan["inventory"]> {
  const { project_id: projectId } = task;
  const row = await present("inventory", inventoryRows.find(deps.kv, projectId, task.inventory_id));
  return {
    type: row.type,
    content: row.inventory,
    repository: row.repository_id === null || row.repository_id === task.repository_id
      ? null
      : await repositoryOf(deps, projectId, row.repository_id),
    userKey: await secretOf(deps, projectId, row.ssh_key_id),
    becomeKey: row.become_key_id === null
      ? null
      : await becomeKeyOf(deps, projectId, row.become_key_id),
  };
}

async function becomeKeyOf(deps: Deps, projectId: number, id: number): Promise<Secret> {
  const secret = await secretOf(deps, projectId, id);
  if (secret.type === "ssh") throw new AppError(400, "errors.run.become_key");
  return secret;
}

async function repositoryOf(
  deps: Deps,
  projectId: number,
  id: number,
  { branch = null, commit = null, ofBranch = false }: Partial<
    Pick<RepositoryPlan, "branch" | "commit" | "ofBranch">
  > = {},
): Promise<RepositoryPlan> {
  const row = await present("repository", repositoryRows.find(deps.kv, projectId, id));
  return {
    id,
    url: await openUrl(deps.secrets, row),
    branch: branch ?? (row.git_branch || null),
    commit,
    ofBranch,
    key: await secretOf(deps, projectId, row.ssh_key_id),
  };
}

interface Variables {
  json: Record<string, unknown>;
  env: Record<string, string>;
  secretVars: Record<string, string>;
  secretEnv: Record<string, string>;
}

/** What the task's environments set together: of two of one name the later one's, secret or not. */
async function environmentOf(deps: Deps, task: TaskRow): Promise<Variables> {
  let all: Variables = { json: {}, env: {}, secretVars: {}, secretEnv: {} };
  for (const id of environmentIds(task)) {
    const next = await readEnvironment(deps, task.project_id, id);
    all = {
      json: { ...without(all.json, next.secretVars), ...next.json },
      env: { ...without(all.env, next.secretEnv), ...next.env },
      secretVars: { ...without(all.secretVars, next.json), ...next.secretVars },
      secretEnv: { ...without(all.secretEnv, next.env), ...next.secretEnv },
    };
  }
  return all;
}

const without = <T>(variables: Record<string, T>, names: object): Record<string, T> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !Object.hasOwn(names, name)));

async function readEnvironment(
  { kv, secrets }: Deps,
  projectId: number,
  id: number,
): Promise<Variables> {
  const row = await present("environment", environmentRows.find(kv, projectId, id));
  const openValue = (sealed: Uint8Array, variable: string) => {
    if (sealed.length > 0) return secrets.open(sealed);
    throw new AppError(400, "errors.run.empty_secret", { name: row.name, variable });
  };
  const opened = await Promise.all(
    row.secrets.map(async ({ type, name, sealed }) => ({
      type,
      pair: [name, await openValue(sealed, name)] as const,
    })),
  );
  const ofType = (wanted: "var" | "env"): Record<string, string> =>
    Object.fromEntries(opened.filter(({ type }) => type === wanted).map(({ pair }) => pair));
  const env = JSON.parse(row.env || "{}") as Record<string, unknown>;
  return {
    json: JSON.parse(row.json || "{}") as Record<string, unknown>,
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
    secretVars: ofType("var"),
    secretEnv: ofType("env"),
  };
}

async function secretAnswersOf({ kv, secrets }: Deps, task: TaskRow) {
  if (!task.has_secrets) return {};
  const sealed = await readSecretAnswers(kv, task.id);
  if (sealed.length === 0) return {};
  return JSON.parse(await secrets.open(sealed)) as Record<string, string>;
}

async function vaultOf(
  deps: Deps,
  projectId: number,
  { vault_key_id, name }: TaskRow["vaults"][number],
) {
  const secret = await secretOf(deps, projectId, vault_key_id);
  if (secret.type !== "login_password") throw new AppError(400, "errors.run.vault_key");
  return { name: name || "default", password: secret.password };
}

async function secretOf(deps: Deps, projectId: number, id: number | null): Promise<Secret> {
  if (id === null) return { type: "none" };
  const row = await present("key", keyRows.find(deps.kv, projectId, id));
  if (row.type !== "none" && row.secret === null) {
    throw new AppError(400, "errors.run.empty_key", { name: row.name });
  }
  return await openSecret(deps.secrets, row);
}

/** The row; or an error that says which kind of object the run misses. */
async function present<T>(kind: string, finding: Promise<{ row: T } | null>): Promise<T> {
  const found = await finding;
  if (!found) throw new AppError(400, `errors.run.missing_${kind}`);
  return found.row;
}
