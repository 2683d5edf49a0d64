import { dirname, join, relative } from "node:path";
import { isEmpty } from "../../base/secret.ts";
import {
  accountName,
  createPrivateDir,
  createTraversableDir,
  existingDir,
  type SandboxSettings,
} from "../process/isolation.ts";
import type { TaskDirectory } from "../process/task_directory.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { PlanKey } from "../run/plan.ts";
import { knownHostsFile, writeHostAuthorities } from "../ssh/known_hosts.ts";
import { extraVarsJson } from "./extra_vars.ts";
import { isPlainHostName } from "./results/fields.ts";
import type { AnsibleConfig, CheckoutFacts } from "./inventory/inspect.ts";
import type { AnsiblePlan, InventoryPlan } from "./plan.ts";

/** Paths of the files and folders that Ansible gets. */
export interface AnsibleFiles {
  /** The root of the checkout. */
  root: string;
  /** Folder in which Ansible starts. */
  workingDirectory: string;
  /** Path of the playbook from there, or the full name of a collection's playbook. */
  playbook: string;
  inventory: string;
  extraVars: string;
  /** File with the only hosts to run on, one name in a line. */
  hosts?: string;
  connectionPassword: string | null;
  becomePassword: string | null;
  /** One for each of the plan's vaults. */
  vaults: string[];
  home: string;
  localTemp: string;
  /** Folder for the sockets of connections that stay open. */
  controlPath: string;
  knownHosts: string;
  /** File of the project's host authorities, or null if there are none. */
  hostAuthorities: string | null;
  /** File for the play's outputs, or null if they are not reported. */
  outputs: string | null;
  agentSocket: string | null;
  /** The rules that give each host its keys. Missing if all hosts get the same. */
  keyRules?: string;
  /** Holds `roles` and `collections` of the requirement files. */
  galaxy: string | null;
  /** The ansible.cfg that applies to the play. */
  config: AnsibleConfig | null;
  /** Name of the account that runs the play, or "" if it has none. */
  account: string;
}

/** Returns the home of a project's runs. */
export const homeOf = ({ dataDir }: Pick<SandboxSettings, "dataDir">, projectId: number): string =>
  join(dataDir, "homes", String(projectId));

/** Writes the files that Ansible must not get as arguments. Only their owner may read them. */
export async function writeFiles(
  { env, projectId, directory }: RunContext,
  plan: AnsiblePlan,
  facts: CheckoutFacts,
): Promise<AnsibleFiles> {
  const { inventory } = plan;
  const localTemp = join(directory.path, "tmp");
  await createPrivateDir(env.isolation, localTemp);
  return {
    root: facts.root,
    workingDirectory: facts.workingDirectory,
    playbook: facts.playbook,
    inventory: facts.inventory ?? await writeInventory(directory, inventory),
    extraVars: await directory.write("extra_vars.json", extraVarsJson(plan)),
    hosts: plan.hosts && await writeHosts(directory, facts.workingDirectory, plan.hosts),
    connectionPassword: await writePassword(directory, "connection", inventory.userKey),
    becomePassword: await writePassword(directory, "become", inventory.becomeKey),
    vaults: await Promise.all(
      plan.vaults.map(({ password }, i) => directory.write(`vault_${i}`, password, "\n")),
    ),
    home: await existingHome(env, projectId),
    localTemp,
    controlPath: directory.connections,
    knownHosts: await knownHostsFile(env, projectId),
    hostAuthorities: await writeHostAuthorities(
      directory,
      "host_authorities",
      plan.repository.hostAuthorities,
    ),
    outputs: plan.keepsOutputs ? await directory.write("outputs", "") : null,
    agentSocket: null,
    galaxy: null,
    config: facts.config,
    account: accountName(env.isolation),
  };
}

function existingHome({ dataDir, isolation }: SandboxSettings, projectId: number) {
  const home = homeOf({ dataDir }, projectId);
  return existingDir(home, async () => {
    await createTraversableDir(isolation, dirname(home));
    await createPrivateDir(isolation, home);
  });
}

/** Writes the text of an inventory. The file's name tells Ansible how to read it. */
export const writeInventory = (
  directory: TaskDirectory,
  { type, content }: Pick<InventoryPlan, "type" | "content">,
): Promise<string> =>
  directory.write(
    type === "static-yaml" ? "inventory.yml" : "inventory",
    content.replace(/(?<!\n)\n*$/, "\n"),
  );

/**
 * Writes the only hosts to run on. Returns the path as Ansible can read it after "--limit=@": it
 * cuts limits at blanks, commas, colons and brackets.
 */
async function writeHosts(
  directory: TaskDirectory,
  workingDirectory: string,
  hosts: string[],
): Promise<string> {
  const strange = hosts.find((name) => !isPlainHostName(name));
  if (strange !== undefined || hosts.length === 0) {
    throw runError("errors.retry.host_name", { name: strange ?? "" });
  }
  const path = await directory.write("hosts", hosts.join("\n"));
  // A checkout is a folder beside the file, so nothing but its own names is between them.
  const isBelow = workingDirectory.startsWith(`${directory.path}/`);
  const near = isBelow ? relative(workingDirectory, path) : path;
  const found = [path, near].find((text) => !/[\s,:[\]]/.test(text));
  if (found === undefined) throw runError("errors.retry.folder", { path });
  return found;
}

async function writePassword(
  directory: TaskDirectory,
  name: string,
  key: PlanKey | null,
): Promise<string | null> {
  if (key?.type !== "login_password" || isEmpty(key.password)) return null;
  return await directory.write(`${name}_password`, key.password, "\n");
}
