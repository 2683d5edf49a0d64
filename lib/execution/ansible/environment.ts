import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reveal, type Secret } from "../../base/secret.ts";
import { holdLate } from "../process/late_variables.ts";
import { baseEnvironment, type Variables } from "../process/variables.ts";
import type { RunPlan } from "../run/plan.ts";
import type { AnsibleFiles } from "./files.ts";
import { iniSetting } from "./inventory/ini.ts";
import type { AnsibleConfig } from "./inventory/inspect.ts";
import { pinningVariables } from "./inventory/pinned_keys.ts";
import type { AnsiblePlan } from "./plan.ts";

/** Returns the whole environment of ansible-playbook and ansible-galaxy. */
export function ansibleEnvironment(
  server: { path: string; variables: Record<string, string> },
  plan: AnsiblePlan,
  files: AnsibleFiles,
): Variables {
  return {
    ...server.variables,
    ...baseEnvironment(server.path, files.home),
    ...(files.account ? { USER: files.account, LOGNAME: files.account } : {}),
    PYTHONUNBUFFERED: "1",
    ANSIBLE_FORCE_COLOR: "1",
    ANSIBLE_NOCOWS: "1",
    // No one can answer a prompt, and a prompt would win over the password files.
    ANSIBLE_ASK_PASS: "0",
    ANSIBLE_BECOME_ASK_PASS: "0",
    ANSIBLE_ASK_VAULT_PASS: "0",
    ANSIBLE_LOCAL_TEMP: files.localTemp,
    ANSIBLE_SSH_CONTROL_PATH_DIR: files.controlPath,
    ...holdLate({ ...plan.env, ...plan.secretEnv }),
    ...pinningVariables(plan, files),
    ...galaxyVariables(plan, files),
    ...taskVariables(plan),
    ...(files.agentSocket ? { SSH_AUTH_SOCK: files.agentSocket } : {}),
    PATH: server.path,
  };
}

/** Set only where requirements were installed. Otherwise Ansible's own settings apply. */
export function galaxyVariables(
  plan: Pick<AnsiblePlan, "env" | "secretEnv">,
  files: Pick<AnsibleFiles, "workingDirectory" | "config" | "galaxy">,
): Record<string, string> {
  if (files.galaxy === null) return {};
  const { workingDirectory, config, galaxy } = files;
  const own = { ...plan.env, ...plan.secretEnv };
  const list = (
    part: "roles" | "collections",
    set: string | Secret | undefined,
    names: string[],
  ) => {
    const further = part === "roles" ? ":/etc/ansible/roles" : "";
    const usual = () =>
      `${join(workingDirectory, part)}:${defaultFolders(part, config, own)}${further}`;
    const folders = set ? reveal(set, "parse") : foldersIn(config, names) ?? usual();
    return `${join(galaxy, part)}:${folders}`;
  };
  return {
    ANSIBLE_ROLES_PATH: list("roles", own.ANSIBLE_ROLES_PATH, ["roles_path"]),
    ANSIBLE_COLLECTIONS_PATH: list(
      "collections",
      own.ANSIBLE_COLLECTIONS_PATH ?? own.ANSIBLE_COLLECTIONS_PATHS,
      ["collections_path", "collections_paths"],
    ),
  };
}

/** The folder of the callback that reports events: see docs/decisions/0037. */
const CALLBACKS = fileURLToPath(new URL("./callback", import.meta.url));
/** The folder of the plugin that gives each host its keys: see docs/decisions/0117. */
const VARS = fileURLToPath(new URL("./vars", import.meta.url));
/** All that a play reads of ours. */
export const PLUGINS = [
  CALLBACKS,
  VARS,
  fileURLToPath(new URL("./callback_parts", import.meta.url)),
];

/** Returns the variables by which a play reports, and by which its hosts get their own keys. */
export function reportVariables(plan: AnsiblePlan, files: AnsibleFiles): Variables {
  return {
    ANSIBLE_CALLBACK_PLUGINS: pluginFolders("callback", CALLBACKS, plan, files),
    ...(files.keyRules === undefined ? {} : {
      ANSIBLE_VARS_PLUGINS: pluginFolders("vars", VARS, plan, files),
      CALLBOARD_HOST_KEYS: files.keyRules,
    }),
    ...(plan.fullResults ? fullVariables(plan, files) : {}),
    ...(files.outputs === null ? {} : { CALLBOARD_OUTPUTS: files.outputs }),
  };
}

/**
 * Returns the folders for plugins of a kind: ours, and those that the play has anyway, because the
 * variable replaces all other settings for them.
 */
function pluginFolders(
  kind: "callback" | "vars",
  ours: string,
  plan: AnsiblePlan,
  files: AnsibleFiles,
): string {
  const own = { ...plan.env, ...plan.secretEnv };
  const set = own[`ANSIBLE_${kind.toUpperCase()}_PLUGINS`];
  const folders = set === undefined
    ? configuredFolders(kind, files.config, own)
    : reveal(set, "parse");
  return `${ours}:${folders}`;
}

/**
 * Modules of ansible-core 2.21 and later leave their arguments out of results unless this is set.
 */
const fullVariables = (
  { env, secretEnv }: AnsiblePlan,
  { config }: AnsibleFiles,
): Record<string, string> => ({
  CALLBOARD_FULL_RESULTS: "1",
  ...("ANSIBLE_INJECT_INVOCATION" in { ...env, ...secretEnv } ||
      (config && iniSetting(config.lines, "defaults", "inject_invocation") !== null)
    ? {}
    : { ANSIBLE_INJECT_INVOCATION: "1" }),
});

const configuredFolders = (
  kind: "callback" | "vars",
  config: AnsibleConfig | null,
  own: Variables,
): string =>
  foldersIn(config, [`${kind}_plugins`]) ?? defaultFolders(`plugins/${kind}`, config, own);

/** Returns the folders of the first setting that a configuration has; null if it has none. */
function foldersIn(config: AnsibleConfig | null, names: string[]): string | null {
  if (!config) return null;
  const found = names.map((name) => iniSetting(config.lines, "defaults", name))
    .find((folders) => folders !== null);
  return found?.replace(/^(["'])(.*)\1$/, "$2").split(":")
    .map((path) => fromFolder(config.folder, path.trim())).join(":") ?? null;
}

/** Returns the folders in which Ansible looks for a kind of content without a setting for it. */
function defaultFolders(part: string, config: AnsibleConfig | null, own: Variables): string {
  const home = config && iniSetting(config.lines, "defaults", "home");
  const ansibleHome = own.ANSIBLE_HOME ?? (config && home ? fromFolder(config.folder, home) : null);
  const base = ansibleHome === null ? "~/.ansible" : reveal(ansibleHome, "parse");
  return `${base}/${part}:/usr/share/ansible/${part}`;
}

/**
 * Returns a path of a configuration. Ansible itself resolves those that begin with a home or a
 * variable.
 */
const fromFolder = (folder: string, path: string) =>
  /^[~$/{]/.test(path) ? path : join(folder, path);

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
