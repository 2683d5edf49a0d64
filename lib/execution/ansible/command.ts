import { join } from "node:path";
import { holdLate } from "../process/late_variables.ts";
import { literalVars } from "./literal.ts";
import type { RunPlan, TaskDetails } from "../run/plan.ts";
import { baseEnvironment } from "../process/supervise.ts";
import { sshOptions } from "../ssh/known_hosts.ts";

/** Where the things lie that Ansible is told of by their paths. */
export interface AnsibleFiles {
  /** The checkout's root: the working directory. */
  root: string;
  inventory: string;
  extraVars: string;
  connectionPassword: string | null;
  becomePassword: string | null;
  /** One for each of the plan's vaults. */
  vaults: string[];
  home: string;
  localTemp: string;
  /** For the sockets of connections that are kept open. */
  controlPath: string;
  knownHosts: string;
  agentSocket: string | null;
  /** Holds `roles` and `collections` of the requirement files. */
  galaxy: string | null;
  /** What the checkout's ansible.cfg says. */
  settings: Map<string, string>;
  /** Name of the account that runs it; "" when it has none. */
  account: string;
}

/** The arguments of ansible-playbook. No secret is among them, and no value can become an option. */
export function ansibleArguments(plan: RunPlan, files: AnsibleFiles): string[] {
  const { userKey, becomeKey } = plan.inventory;
  const option = (name: string, value: string | null | undefined) =>
    value ? [`--${name}=${value}`] : [];
  return [
    ...option("inventory", files.inventory),
    ...option("user", userKey.type === "none" ? null : userKey.login),
    ...option("connection-password-file", files.connectionPassword),
    ...option("become-user", becomeKey?.type === "login_password" ? becomeKey.login : null),
    ...option("become-password-file", files.becomePassword),
    ...(plan.debug ? ["-vvvv"] : []),
    ...(plan.diff ? ["--diff"] : []),
    ...(plan.dryRun ? ["--check"] : []),
    ...plan.vaults.flatMap(({ name }, i) => option("vault-id", `${name}@${files.vaults[i]}`)),
    ...option("extra-vars", `@${files.extraVars}`),
    ...plan.arguments,
    // After the arguments, so that the limit somebody chose for this run is the one that counts.
    ...option("limit", plan.limit),
    ...option("tags", plan.tags.join(",")),
    ...option("skip-tags", plan.skipTags.join(",")),
    "--",
    plan.playbook,
  ];
}

/** What a play sees of its task, under Callboard's name and under the one existing plays know. */
export function extraVars(plan: RunPlan): Record<string, unknown> {
  const vars = { task_details: taskDetails(plan.taskId, plan.details) };
  return {
    ...plan.extraVars,
    ...literalVars(plan.answers),
    ...literalVars(plan.secretVars),
    ...literalVars({ semaphore_vars: vars, callboard_vars: vars }),
  };
}

function taskDetails(id: number, details: TaskDetails): Record<string, unknown> {
  const { message, username, url, type, incomingVersion, targetVersion } = details;
  return {
    id,
    ...(message ? { message } : {}),
    username,
    url,
    ...(type ? { type } : {}),
    ...(incomingVersion === null ? {} : { incoming_version: incomingVersion }),
    ...(targetVersion === null ? {} : { target_version: targetVersion }),
  };
}

/** The whole environment of ansible-playbook and ansible-galaxy. */
export function ansibleEnvironment(
  server: { path: string; variables: Record<string, string> },
  plan: RunPlan,
  files: AnsibleFiles,
): Record<string, string> {
  return {
    ...server.variables,
    ...baseEnvironment(server.path, files.home),
    ...(files.account ? { USER: files.account, LOGNAME: files.account } : {}),
    PYTHONUNBUFFERED: "1",
    ANSIBLE_FORCE_COLOR: "1",
    ANSIBLE_NOCOWS: "1",
    // Nobody is there to be asked, and asking goes before the password files.
    ANSIBLE_ASK_PASS: "0",
    ANSIBLE_BECOME_ASK_PASS: "0",
    ANSIBLE_ASK_VAULT_PASS: "0",
    ANSIBLE_LOCAL_TEMP: files.localTemp,
    ANSIBLE_SSH_CONTROL_PATH_DIR: files.controlPath,
    ...hostKeyVariables(plan, files),
    ...holdLate({ ...plan.env, ...plan.secretEnv }),
    ...galaxyVariables(plan, files),
    ...taskVariables(plan),
    ...(files.agentSocket ? { SSH_AUTH_SOCK: files.agentSocket } : {}),
    PATH: server.path,
  };
}

/**
 * Hosts' keys are pinned like those of repositories. Who has settled the matter in ansible.cfg is
 * left alone; `ssh_args` and a host's own variables go before this in any case.
 */
function hostKeyVariables(
  plan: RunPlan,
  { settings, knownHosts }: AnsibleFiles,
): Record<string, string> {
  const settled = settings.has("ssh_common_args") || settings.has("host_key_checking") ||
    "ANSIBLE_CONFIG" in plan.env;
  if (settled) return {};
  const args = sshOptions(knownHosts).flatMap((option) => ["-o", `'${option}'`]);
  return { ANSIBLE_SSH_COMMON_ARGS: args.join(" ") };
}

/** Set only where requirements were installed: else Ansible's own settings have their way. */
function galaxyVariables(plan: RunPlan, files: AnsibleFiles): Record<string, string> {
  if (files.galaxy === null) return {};
  const { root, settings, home, galaxy } = files;
  const list = (part: "roles" | "collections", configured: string | undefined) =>
    [
      join(galaxy, part),
      ...(configured ? configured.split(":") : [
        join(root, part),
        join(home, ".ansible", part),
        `/usr/share/ansible/${part}`,
        ...(part === "roles" ? ["/etc/ansible/roles"] : []),
      ]),
    ].join(":");
  const own = { ...plan.env, ...plan.secretEnv };
  return {
    ANSIBLE_ROLES_PATH: list("roles", own.ANSIBLE_ROLES_PATH ?? settings.get("roles_path")),
    ANSIBLE_COLLECTIONS_PATH: list(
      "collections",
      own.ANSIBLE_COLLECTIONS_PATH ?? own.ANSIBLE_COLLECTIONS_PATHS ??
        settings.get("collections_path") ?? settings.get("collections_paths"),
    ),
  };
}

function taskVariables({ taskId, details }: RunPlan): Record<string, string> {
  const values = {
    ID: String(taskId),
    MESSAGE: details.message,
    USERNAME: details.username,
    URL: details.url,
    TYPE: details.type,
    INCOMING_VERSION: details.incomingVersion,
    TARGET_VERSION: details.targetVersion,
  };
  return Object.fromEntries(
    Object.entries(values)
      .filter((entry): entry is [string, string] => Boolean(entry[1]))
      .flatMap(([name, value]) =>
        ["CALLBOARD", "SEMAPHORE"].map((product) => [`${product}_TASK_${name}`, value])
      ),
  );
}
