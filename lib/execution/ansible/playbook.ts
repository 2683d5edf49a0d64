import { VARIABLE_NAME } from "../../base/fields.ts";
import { openWorkspace, type Workspace } from "../git/workspace.ts";
import { withLate } from "../process/late_variables.ts";
import { runProcess } from "../process/supervise.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { RunIo } from "../run/io.ts";
import { startAgent } from "../ssh/agent.ts";
import { ansibleArguments } from "./command.ts";
import { ansibleEnvironment } from "./environment.ts";
import { type AnsibleFiles, writeFiles } from "./files.ts";
import { type CheckoutFacts, inspectCheckout } from "./inspect.ts";
import { withPathTo } from "./installation.ts";
import type { AnsiblePlan } from "./plan.ts";
import { type OutputReader, outputReader, type PlayRecap } from "./play_recap.ts";
import { installRequirements } from "./requirements.ts";

/** Runs the playbook of a checkout, requirements first. Throws when it is no success. */
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
    await playFrom(context, plan, { workspace, inventories }, io);
  } finally {
    await inventories.close();
  }
}

interface Workspaces {
  workspace: Workspace;
  /** Where a `file` inventory lies. */
  inventories: Workspace;
}

async function playFrom(
  context: RunContext,
  plan: AnsiblePlan,
  { workspace, inventories }: Workspaces,
  io: RunIo,
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
    await play(context, plan, files, io);
  } finally {
    await agent?.end();
  }
}

async function requirements(
  context: RunContext,
  plan: AnsiblePlan,
  files: AnsibleFiles,
  facts: CheckoutFacts,
  { gitEnv }: Workspace,
): Promise<string | null> {
  if (plan.skipGalaxyInstall) return null;
  const env = { ...gitEnv, ...ansibleEnvironment(context.env, plan, files) };
  return await installRequirements(context, facts.requirements, { cwd: files.root, env });
}

async function play(
  { env, supervision, say, pipe }: RunContext,
  plan: AnsiblePlan,
  files: AnsibleFiles,
  { onStarted }: RunIo,
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
  if (reader.sshpassMissing()) {
    await say("This Ansible needs the program sshpass to sign in on hosts with a password.");
    await say("Install it on the server, or use a key of type ssh.");
  }
  requireSuccess(exitCode, reader, playbook);
}

function requireSuccess(exitCode: number, reader: OutputReader, command: string): void {
  if (exitCode === 126 || exitCode === 127) {
    throw runError("errors.run.ansible_missing", { command });
  }
  const noHosts = reader.noHosts(exitCode);
  if (noHosts) throw runError(noHosts);
  if (exitCode !== 0) throw failure(exitCode, reader.recap());
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
