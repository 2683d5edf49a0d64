import { AppError } from "../../../base/errors.ts";
import { byteLength } from "../../../base/fields.ts";
import { conceal, reveal, type Secret, secretJson } from "../../../base/secret.ts";
import { extraVarsJson } from "../../../execution/ansible/extra_vars.ts";
import type { AnsiblePlan } from "../../../execution/ansible/plan.ts";
import type { PlanKey, RepositoryPlan } from "../../../execution/run/plan.ts";
import type { TaskRow } from "../../../model/task_row.ts";

/**
 * A task as Semaphore's runners take it, and its keys by their numbers. Names and forms are those
 * of Semaphore's Go structures, from 2.10 to 2.19.
 */
export interface SemaphoreJob {
  job: Record<string, unknown>;
  keys: Record<number, unknown>;
}

/** Longest argument of a process under Linux. Their runners pass all extra vars as one. */
const ARGUMENT_BYTES_MAX = 128 * 1024 - 1;
/** Numbers of one task's keys. Those of other tasks in the same answer must differ. */
const KEYS_PER_TASK = 1_000;

/**
 * Returns a plan as a job. Everything that has several forms in their versions is in the one that
 * all of them understand: options are arguments, and all variables are in one environment.
 */
export function semaphoreJob(plan: AnsiblePlan, task: TaskRow): SemaphoreJob {
  const { projectId: project_id, details, inventory } = plan;
  const { keys, add } = keyring(project_id, task.id);
  const repository = repositoryJob(plan.repository, project_id, add);
  const inventories = inventory.repository &&
    repositoryJob(inventory.repository, project_id, add);
  const json = extraVarsJson(plan);
  requireFitting(json);
  return {
    keys,
    job: {
      Username: details.username,
      IncomingVersion: details.incomingVersion,
      Alias: "",
      task: taskJob(plan, task),
      template: templateJob(plan, task, add),
      inventory: {
        id: task.inventory_id,
        name: "inventory",
        project_id,
        type: inventory.type,
        inventory: inventory.content,
        ssh_key_id: keyIdOf(inventory.userKey, add),
        become_key_id: inventory.becomeKey && keyIdOf(inventory.becomeKey, add),
        repository_id: inventories && inventories.id,
        holder_id: null,
      },
      inventory_repository: inventories,
      repository,
      environment: {
        id: task.environment_id ?? 0,
        name: "environment",
        project_id,
        password: null,
        json,
        env: secretJson({ ...plan.env, ...plan.secretEnv }),
        secrets: [],
      },
    },
  };
}

/** Returns the playbook, which must not look like an option: their runners pass no `--` first. */
const playbookOf = ({ playbook }: AnsiblePlan): string =>
  playbook.startsWith("-") ? `./${playbook}` : playbook;

const taskJob = (plan: AnsiblePlan, task: TaskRow) => ({
  id: task.id,
  project_id: plan.projectId,
  template_id: task.template_id,
  status: "starting",
  playbook: playbookOf(plan),
  environment: "{}",
  secret: "",
  arguments: null,
  limit: "",
  params: {},
  git_branch: branchName(plan.repository),
  commit_hash: plan.repository.commit,
  commit_message: "",
  message: plan.details.message,
  version: plan.details.targetVersion,
  user_id: task.user_id,
  created: task.created,
  start: task.start,
  end: null,
  inventory_id: task.inventory_id,
  build_task_id: null,
  debug: false,
  dry_run: false,
  diff: false,
});

function templateJob(plan: AnsiblePlan, task: TaskRow, add: AddKey) {
  const { project_id, template_id } = task;
  return {
    id: template_id,
    project_id,
    inventory_id: task.inventory_id,
    repository_id: plan.repository.id ?? 0,
    environment_id: task.environment_id,
    name: task.template_name,
    playbook: playbookOf(plan),
    arguments: JSON.stringify(argumentsOf(plan)),
    allow_override_args_in_task: false,
    app: "ansible",
    type: plan.details.type,
    git_branch: branchName(plan.repository),
    survey_vars: [],
    task_params: {},
    vaults: plan.vaults.map(({ name, password }, n) => ({
      id: n + 1,
      project_id,
      template_id,
      name,
      type: "password",
      script: null,
      vault_key_id: add({ type: "login_password", login: "", password }),
    })),
  };
}

type AddKey = (key: PlanKey) => number;

function keyring(project_id: number, taskId: number) {
  const keys: SemaphoreJob["keys"] = {};
  let last = taskId * KEYS_PER_TASK;
  const add: AddKey = (key) => {
    const id = ++last;
    const none = { login: "", passphrase: "", private_key: "" };
    keys[id] = {
      id,
      name: `key-${id}`,
      type: key.type,
      project_id,
      string: "",
      override_secret: false,
      login_password: key.type === "login_password"
        ? { login: key.login, password: key.password }
        : { login: "", password: "" },
      ssh: key.type === "ssh"
        ? { login: key.login, passphrase: key.passphrase, private_key: key.privateKey }
        : none,
    };
    return id;
  };
  return { keys, add };
}

/** Returns the name for `git clone --branch`, which their runners call. */
const branchName = ({ branch }: RepositoryPlan): string | null =>
  branch?.replace(/^refs\/(?:heads|tags)\//, "") ?? null;

const keyIdOf = (key: PlanKey, add: AddKey): number | null => key.type === "none" ? null : add(key);

function repositoryJob(plan: RepositoryPlan, project_id: number, add: AddKey) {
  return {
    id: plan.id ?? 0,
    name: "repository",
    project_id,
    git_url: gitUrl(plan),
    git_branch: branchName(plan) ?? "",
    ssh_key_id: add(gitKey(plan)),
  };
}

/** Returns the URL for git. Their runners have no other place for the login of an SSH address. */
function gitUrl({ address: { kind, url, login }, key }: RepositoryPlan): string {
  if (kind !== "ssh" || login !== "") return url;
  const user = key.type === "none" ? "git" : key.login || "git";
  return url.includes("://") ? url.replace("://", `://${user}@`) : `${user}@${url}`;
}

/**
 * Returns the key for git. Their runners write login and password of an HTTP address into it as
 * they are, so they are escaped here.
 */
function gitKey({ address, key }: RepositoryPlan): PlanKey {
  if (address.kind !== "http") return key;
  const { login, password } = key.type === "login_password" ? key : address;
  if (login === "" && password === null) return { type: "none" };
  return {
    type: "login_password",
    login: encodeURIComponent(reveal(login || address.login || "git", "seal")),
    password: conceal(encodeURIComponent(reveal(password ?? "", "seal"))),
  };
}

/** Returns the options of a run in the order in which a server passes them. */
function argumentsOf(plan: AnsiblePlan): string[] {
  const option = (name: string, value: string | null) => value ? [`--${name}=${value}`] : [];
  return [
    ...(plan.debug ? ["-vvvv"] : []),
    ...(plan.diff ? ["--diff"] : []),
    ...(plan.dryRun ? ["--check"] : []),
    ...plan.arguments,
    ...option("limit", plan.limit),
    ...option("tags", plan.tags.join(",")),
    ...option("skip-tags", plan.skipTags.join(",")),
  ];
}

function requireFitting(json: Secret): void {
  if (byteLength(reveal(json, "parse")) <= ARGUMENT_BYTES_MAX) return;
  throw new AppError(400, "errors.run.variables_too_long", { max: ARGUMENT_BYTES_MAX });
}
