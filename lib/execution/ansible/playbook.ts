import { resolve } from "node:path";
import { restoreKept, saveKept } from "../git/kept_files.ts";
import { sayLeftFiles } from "../git/left_files.ts";
import { openWorkspace, type Workspace } from "../git/workspace.ts";
import type { RunContext } from "../run/context.ts";
import { withSpace } from "../run/full_disk.ts";
import type { RunIo } from "../run/io.ts";
import { startAgent } from "../ssh/agent.ts";
import { ansibleEnvironment } from "./environment.ts";
import { inContainer } from "./container.ts";
import { homeOf, writeFiles } from "./files.ts";
import { agentKeys, hasKeyRules, writeKeyRules } from "./inventory/host_keys.ts";
import { inspectCheckout } from "./inventory/inspect.ts";
import type { AnsiblePlan } from "./plan.ts";
import { play } from "./play.ts";
import { installRequirements } from "./requirements.ts";

/**
 * Runs the playbook of a checkout after installing its requirements. Throws when it does not
 * succeed.
 */
export async function runPlaybook(
  context: RunContext,
  plan: AnsiblePlan,
  workspace: Workspace,
  io: RunIo,
): Promise<void> {
  const { repository } = plan.inventory;
  if (!repository) return await playFrom(context, plan, { workspace, inventories: workspace }, io);
  const inventories = await openWorkspace(context, repository, "inventories");
  try {
    if (inventories.commit) await io.onInventories?.(inventories.commit);
    await playFrom(context, plan, { workspace, inventories }, io);
  } finally {
    await inventories.close();
  }
}

interface Workspaces {
  workspace: Workspace;
  /** The checkout that contains a `file` inventory. */
  inventories: Workspace;
}

async function playFrom(
  context: RunContext,
  plan: AnsiblePlan,
  { workspace, inventories }: Workspaces,
  io: RunIo,
): Promise<void> {
  const { inventory } = plan;
  const kept = (plan.keeps ?? []).map((one) => ({
    ...one,
    workspace: one.of === "template" ? workspace : inventories,
  }));
  await restoreKept(context, kept, io.kept);
  const facts = await inspectCheckout(context, {
    inPlace: [...new Set([workspace, inventories])].filter(({ commit }) => commit === null)
      .map(({ directory }) => directory),
    root: workspace.directory,
    playbook: plan.playbook,
    workingDirectory: plan.workingDirectory ?? ".",
    home: resolve(homeOf(context.env, context.projectId)),
    config: plan.env.ANSIBLE_CONFIG ?? plan.secretEnv.ANSIBLE_CONFIG ?? null,
    inventory: inventory.type === "file"
      ? { root: inventories.directory, path: inventory.content }
      : null,
  });
  if (facts.unusedConfig !== null) await context.say(unusedText(facts.unusedConfig));
  const files = await writeFiles(context, plan, facts);
  const folders = [workspace.directory, inventories.directory];
  const installed = plan.skipGalaxyInstall ? null : await installRequirements(
    context,
    await inContainer(context, folders),
    {
      facts,
      root: workspace.directory,
      cwd: files.workingDirectory,
      commit: workspace.commit?.hash ?? null,
      plan: plan.requirements ?? {},
      env: { ...workspace.gitEnv, ...ansibleEnvironment(context.env, plan, files) },
    },
  );
  files.galaxy = installed && installed.folder;
  if (installed) await io.onRequirements?.(installed.used);
  const keys = agentKeys(inventory);
  const agent = keys.length > 0 ? await startAgent(context, keys, "hosts") : null;
  try {
    files.agentSocket = agent?.socket ?? null;
    if (agent && hasKeyRules(inventory)) {
      files.keyRules = await writeKeyRules(context, inventory, files, agent.files);
    }
    await play(await inContainer(context, folders), plan, files, io);
  } finally {
    // A dry run changes nothing.
    if (!plan.dryRun) await withSpace(context, () => saveKept(context, kept, io.kept));
    for (const one of new Set([workspace, inventories])) {
      const paths = kept.filter((its) => its.workspace === one).flatMap((its) => its.paths);
      await withSpace(context, () => sayLeftFiles(context, one, paths));
    }
    await agent?.end();
  }
}

/** Text about an ansible.cfg for which the run would have to start in another folder. */
const unusedText = (folder: string) =>
  `The settings in ${folder}/ansible.cfg are not used, because Ansible starts in the root of the ` +
  `repository. To use them, set the working directory of the template to "${folder}".`;
