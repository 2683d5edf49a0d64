import { dirname, join } from "node:path";
import { isEmpty, secretJson } from "../../base/secret.ts";
import type { Workspace } from "../git/workspace.ts";
import { makeOwn, makePassage } from "../process/isolation.ts";
import type { TaskDirectory } from "../process/task_directory.ts";
import type { RunContext } from "../run/context.ts";
import type { PlanKey } from "../run/plan.ts";
import { knownHostsFile } from "../ssh/known_hosts.ts";
import { extraVars } from "./extra_vars.ts";
import type { CheckoutFacts } from "./inspect.ts";
import type { AnsiblePlan, InventoryPlan } from "./plan.ts";

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

/** Puts on disk what Ansible must not get as an argument, for its owner only. */
export async function writeFiles(
  { env, projectId, directory }: RunContext,
  plan: AnsiblePlan,
  workspace: Workspace,
  facts: CheckoutFacts,
): Promise<AnsibleFiles> {
  const { inventory } = plan;
  const home = join(env.dataDir, "homes", String(projectId));
  const localTemp = join(directory.path, "tmp");
  await makePassage(env.isolation, dirname(home));
  for (const path of [home, localTemp]) await makeOwn(env.isolation, path);
  return {
    root: workspace.directory,
    inventory: facts.inventory ?? await writeInventory(directory, inventory),
    extraVars: await directory.write("extra_vars.json", secretJson(extraVars(plan))),
    connectionPassword: await writePassword(directory, "connection", inventory.userKey),
    becomePassword: await writePassword(directory, "become", inventory.becomeKey),
    vaults: await Promise.all(
      plan.vaults.map(({ password }, i) => directory.write(`vault_${i}`, password, "\n")),
    ),
    home: await Deno.realPath(home),
    localTemp,
    controlPath: directory.connections,
    knownHosts: await knownHostsFile(env, projectId),
    agentSocket: null,
    galaxy: null,
    settings: facts.settings,
    account: facts.account,
  };
}

/** The text of an inventory, whose name tells Ansible how to read it. */
export const writeInventory = (
  directory: TaskDirectory,
  { type, content }: Pick<InventoryPlan, "type" | "content">,
): Promise<string> =>
  directory.write(
    type === "static-yaml" ? "inventory.yml" : "inventory",
    content.replace(/(?<!\n)\n*$/, "\n"),
  );

async function writePassword(
  directory: TaskDirectory,
  name: string,
  key: PlanKey | null,
): Promise<string | null> {
  if (key?.type !== "login_password" || isEmpty(key.password)) return null;
  return await directory.write(`${name}_password`, key.password, "\n");
}
