import { join } from "node:path";
import { secretsIn } from "../../../base/secret.ts";
import { openWorkspace } from "../../git/workspace.ts";
import { runLog, silentLog } from "../../log/run_log.ts";
import { createPrivateDir } from "../../process/isolation.ts";
import { collectProcess } from "../../process/supervise.ts";
import { baseEnvironment, type Variables } from "../../process/variables.ts";
import { type RunContext, runError, withContext } from "../../run/context.ts";
import type { RunEnvironment } from "../../run/environment.ts";
import { inContainer, removeContainers } from "../container.ts";
import { writeInventory } from "../files.ts";
import { type InventoryContents, parseGraph } from "./graph.ts";
import { withPathTo } from "../installation.ts";
import { inspectRoot, type LoneInventory, withRequirements } from "./inventory_requirements.ts";
import { inventoryWarnings, isEmptyInventory, withoutFolders } from "./inventory_warnings.ts";
import type { InventoryPlan } from "../plan.ts";
import { withToolchain } from "../toolchains/toolchain.ts";

/** Most characters of Ansible's message that are repeated. */
const SAID_MAX = 2000;

/** Lets Ansible read an inventory as it does in a run, and returns its groups and hosts. */
export function readInventory(
  env: RunEnvironment,
  projectId: number,
  inventory: LoneInventory,
  stop: AbortSignal,
): Promise<InventoryContents> {
  const stage = {
    projectId,
    name: `inventory-${crypto.randomUUID().slice(0, 8)}`,
    log: silentLog,
    stop,
  };
  return withContext(env, stage, async (machine) => {
    const { toolchain } = inventory;
    const context = toolchain ? (await withToolchain(machine, toolchain)).context : machine;
    try {
      return await readIn(context, inventory);
    } finally {
      await removeContainers(context);
    }
  });
}

async function readIn(context: RunContext, inventory: LoneInventory): Promise<InventoryContents> {
  const { directory } = context;
  const { type, content, repository } = inventory;
  if (type !== "file") {
    const file = await writeInventory(directory, inventory);
    return await graphOf(context, inventory, { file, cwd: directory.path, content: {} });
  }
  if (!repository) throw runError("errors.connection_tests.inventory_repository");
  const workspace = await openWorkspace(context, repository, "inventories");
  try {
    const facts = await inspectRoot(context, workspace, content);
    const at = { file: facts.inventory!, cwd: workspace.directory };
    const read = (content: Variables) => graphOf(context, inventory, { ...at, content });
    return await withRequirements(context, inventory, { workspace, facts }, read);
  } finally {
    await workspace.close();
  }
}

async function graphOf(
  context: RunContext,
  inventory: LoneInventory,
  { file, cwd, content }: { file: string; cwd: string; content: Variables },
): Promise<InventoryContents> {
  const { env, directory, supervision } = await inContainer(context, [cwd]);
  const temp = join(directory.path, "tmp");
  await createPrivateDir(env.isolation, temp);
  const { playbook } = env.ansible;
  const command = playbook.replace(/-playbook$/, "-inventory");
  const { exitCode, stdout, stderr } = await collectProcess({
    // A graph shows no variables, which may be secrets, and needs no vault password.
    command: [command, `--inventory=${file}`, "--graph"],
    cwd,
    env: {
      ...env.variables,
      ...baseEnvironment(withPathTo(playbook, env).path, directory.path),
      ANSIBLE_LOCAL_TEMP: temp,
      ANSIBLE_NOCOLOR: "1",
      ANSIBLE_INVENTORY_UNPARSED_FAILED: "1",
      ...content,
    },
    limitMs: 0,
  }, supervision);
  supervision.stop.throwIfAborted();
  if (exitCode === 126 || exitCode === 127) {
    throw runError("errors.run.ansible_missing", { command });
  }
  const said = async (text: string) =>
    withoutFolders(await masked(inventory, text), [cwd, directory.path]);
  if (exitCode !== 0 && !isEmptyInventory(stderr)) {
    throw runError("errors.connection_tests.inventory_unreadable", {
      said: (await said(relevant(stderr, inventory.type))).slice(0, SAID_MAX),
    });
  }
  const warnings = await said(inventoryWarnings(stderr).join("\n"));
  return { ...parseGraph(stdout), warnings: warnings.split("\n").filter(Boolean) };
}

const PLUGIN = { "static": "ini", "static-yaml": "yaml", "file": "" };

/**
 * Returns the part of Ansible's message that is about this inventory. Ansible tries each way to
 * read a file, and complains about all of them.
 */
function relevant(stderr: string, type: InventoryPlan["type"]): string {
  const complaints = stderr.split(/^(?=\[(?:WARNING|ERROR)\])/m);
  const own = complaints.filter((text) => text.includes(`'${PLUGIN[type]}' plugin`));
  return (own.length > 0 ? own : complaints).join("")
    .replace(/^(<<< caused by >>>|Failed to parse inventory with '\w+' plugin\.)$\n?/gm, "")
    .replace(/\n{2,}/g, "\n").trim();
}

async function masked(inventory: LoneInventory, text: string): Promise<string> {
  const lines: string[] = [];
  const output = runLog(secretsIn(inventory), (line) => void lines.push(line)).pipe();
  await output.write(new TextEncoder().encode(text));
  await output.end();
  return lines.join("\n");
}
