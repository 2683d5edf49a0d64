import { dirname, join } from "node:path";
import type { Message } from "../../base/errors.ts";
import { ansibleArguments, ansibleEnvironment, type AnsibleFiles, extraVars } from "./command.ts";
import { withLate } from "../process/late_variables.ts";
import { withPathTo } from "./installation.ts";
import { type CheckoutFacts, inspectCheckout } from "./inspect.ts";
import { knownHostsFile } from "../ssh/known_hosts.ts";
import type { RunPlan, Secret } from "../run/plan.ts";
import { outputReader, type PlayRecap } from "./play_recap.ts";
import { VARIABLE_NAME } from "../../base/fields.ts";
import { runProcess } from "../process/supervise.ts";
import { installRequirements } from "./requirements.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { RunIo } from "../runner.ts";
import { makeOwn, makePassage } from "../process/isolation.ts";
import { CONNECTIONS } from "../process/task_directory.ts";
import { startAgent } from "../ssh/agent.ts";
import type { Workspace } from "../git/workspace.ts";

/** What is known of a run so far; filled as it goes on. */
export interface PlaybookResult {
  exitCode: number | null;
  recap: PlayRecap;
  /** Why it failed; null when it did not. */
  reason: Message | null;
}

interface Workspaces {
  workspace: Workspace;
  /** Where a `file` inventory lies. */
  inventories: Workspace;
}

/** Runs the playbook of a checkout, requirements first. */
export async function runPlaybook(
  context: RunContext,
  plan: RunPlan,
  { workspace, inventories }: Workspaces,
  io: RunIo,
  result: PlaybookResult,
): Promise<void> {
  const { inventory } = plan;
  const facts = await inspectCheckout(context, {
    root: workspace.directory,
    playbook: plan.playbook,
    config: plan.env.ANSIBLE_CONFIG ?? "ansible.cfg",
    inventory: inventory.type === "file"
      ? { root: inventories.directory, path: inventory.content }
      : null,
  });
  const files = await writeFiles(context, plan, workspace, facts);
  files.galaxy = await requirements(context, plan, files, facts, workspace);
  const { userKey } = inventory;
  const agent = userKey.type === "ssh" ? await startAgent(context, userKey, "hosts") : null;
  try {
    files.agentSocket = agent?.socket ?? null;
    await spawnPlaybook(context, plan, files, io, result);
  } finally {
    await agent?.end();
  }
}

async function requirements(
  context: RunContext,
  plan: RunPlan,
  files: AnsibleFiles,
  facts: CheckoutFacts,
  { gitEnv }: Workspace,
): Promise<string | null> {
  if (plan.skipGalaxyInstall) return null;
  const env = { ...gitEnv, ...ansibleEnvironment(context.env, plan, files) };
  return await installRequirements(context, facts.requirements, { cwd: files.root, env });
}

/** Puts on disk what Ansible must not get as an argument, for its owner only. */
async function writeFiles(
  { env, projectId, directory }: RunContext,
  plan: RunPlan,
  workspace: Workspace,
  facts: CheckoutFacts,
): Promise<AnsibleFiles> {
  const { inventory } = plan;
  const home = join(env.dataDir, "homes", String(projectId));
  const [localTemp, controlPath] = [
    join(directory.path, "tmp"),
    join(directory.sockets, CONNECTIONS),
  ];
  await makePassage(env.isolation, dirname(home));
  for (const path of [home, localTemp, controlPath]) await makeOwn(env.isolation, path);
  const inventoryName = inventory.type === "static-yaml" ? "inventory.yml" : "inventory";
  return {
    root: workspace.directory,
    inventory: facts.inventory ??
      await directory.write(inventoryName, inventory.content.replace(/(?<!\n)\n*$/, "\n")),
    extraVars: await directory.write("extra_vars.json", JSON.stringify(extraVars(plan))),
    connectionPassword: await writePassword(directory.write, "connection", inventory.userKey),
    becomePassword: await writePassword(directory.write, "become", inventory.becomeKey),
    vaults: await Promise.all(
      plan.vaults.map(({ password }, i) => directory.write(`vault_${i}`, `${password}\n`)),
    ),
    home: await Deno.realPath(home),
    localTemp,
    controlPath,
    knownHosts: await knownHostsFile(env, projectId),
    agentSocket: null,
    galaxy: null,
    settings: facts.settings,
    account: facts.account,
  };
}

async function writePassword(
  write: (name: string, content: string) => Promise<string>,
  name: string,
  key: Secret | null,
): Promise<string | null> {
  if (key?.type !== "login_password" || key.password === "") return null;
  return await write(`${name}_password`, `${key.password}\n`);
}

async function spawnPlaybook(
  { env, supervision, say, pipe }: RunContext,
  plan: RunPlan,
  files: AnsibleFiles,
  { onStarted }: RunIo,
  result: PlaybookResult,
): Promise<void> {
  supervision.stop.throwIfAborted();
  const reader = outputReader();
  const output = pipe(reader.read);
  const { playbook } = env.ansible;
  for (const name of Object.keys(plan.env).filter((name) => !VARIABLE_NAME.test(name))) {
    await say(
      `The variable ${name} may get lost: shells know letters, digits and underscores only`,
    );
  }
  await say(`Running the playbook ${plan.playbook}`);
  await onStarted();
  supervision.stop.throwIfAborted();
  const { exitCode } = await runProcess(
    {
      command: withLate({ ...plan.env, ...plan.secretEnv }, [
        playbook,
        ...ansibleArguments(plan, files),
      ]),
      cwd: files.root,
      env: ansibleEnvironment(withPathTo(playbook, env), plan, files),
      limitMs: 0,
    },
    supervision,
    output.write,
  );
  await output.end();
  result.exitCode = exitCode;
  result.recap = reader.recap();
  if (reader.sshpassMissing()) {
    await say("This Ansible needs the program sshpass to sign in on hosts with a password.");
    await say("Install it on the server, or use a key of type ssh.");
  }
  if (exitCode === 126 || exitCode === 127) {
    throw runError("errors.run.ansible_missing", { command: playbook });
  }
  const noHosts = reader.noHosts(exitCode);
  if (noHosts) throw runError(noHosts);
  if (exitCode !== 0) throw failure(exitCode, result.recap);
}

/** Ansible's exit code for hosts that it cannot reach and, before any host, for what it cannot read. */
const UNREADABLE = 4;

function failure(exitCode: number, recap: PlayRecap) {
  const counts = Object.values(recap);
  const failed = counts.filter((host) => host.failed > 0).length;
  const unreachable = counts.filter((host) => host.unreachable > 0).length;
  if (failed + unreachable > 0) {
    return runError("errors.run.hosts_failed", { failed, unreachable, hosts: counts.length });
  }
  if (exitCode === UNREADABLE && counts.length === 0) {
    return runError("errors.run.playbook_unreadable");
  }
  return runError("errors.run.playbook_failed", { code: exitCode });
}
