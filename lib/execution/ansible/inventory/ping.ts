import { AppError } from "../../../base/errors.ts";
import { conceal, secretsIn } from "../../../base/secret.ts";
import { parseAddress } from "../../git/address.ts";
import { openWorkspace } from "../../git/workspace.ts";
import { runLog } from "../../log/run_log.ts";
import { withContext } from "../../run/context.ts";
import type { HostResult, RunEvent } from "../../run/events.ts";
import type { RunEnvironment } from "../../run/environment.ts";
import { removeContainers } from "../container.ts";
import type { AnsiblePlan, InventoryPlan, ToolchainPlan } from "../plan.ts";
import { runPlaybook } from "../playbook.ts";
import { withToolchain } from "../toolchains/toolchain.ts";

/** The result of a connection test for one host. */
interface HostAnswer {
  host: string;
  state: "answered" | "failed" | "unreachable";
  /** Ansible's message, or "" for a host that answered. */
  said: string;
}

export interface HostAnswers {
  /** In the order of arrival. */
  answers: HostAnswer[];
  /** Whether time ran out before all hosts were tested. */
  isCut: boolean;
}

const PLAYBOOK = "ping.yml";
const PLAY = `
- name: Ping
  hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.ping:
`;
/** Tests hosts in parallel, so that slow ones do not delay each other. */
const ARGUMENTS = ["--forks=25", "--timeout=10"];
const HOSTS_MAX = 5000;
const SAID_MAX = 500;

/**
 * Runs a play that pings all hosts of an inventory, with its keys, as a task would. Throws 422 with
 * the reason when no host was tested.
 */
export function pingHosts(
  env: RunEnvironment,
  projectId: number,
  { inventory, toolchain }: { inventory: InventoryPlan; toolchain?: ToolchainPlan },
  stop: AbortSignal,
): Promise<HostAnswers> {
  const answers: HostAnswer[] = [];
  const log = runLog(secretsIn(inventory), () => {});
  const onEvent = (event: RunEvent) => {
    if (event.type === "result" && answers.length < HOSTS_MAX) answers.push(answerOf(event));
  };
  const stage = { projectId, name: `ping-${crypto.randomUUID().slice(0, 8)}`, log, stop };
  return withContext(env, stage, async (machine) => {
    const context = toolchain ? (await withToolchain(machine, toolchain)).context : machine;
    const { path } = context.directory;
    await context.directory.write(PLAYBOOK, PLAY);
    const plan = pingPlan(projectId, path, inventory);
    const workspace = await openWorkspace(context, plan.repository, "play");
    try {
      const nothing = () => {};
      const io = { stop, forceStop: stop, onCheckout: nothing, onStarted: nothing };
      await runPlaybook(context, plan, workspace, { ...io, writeLine: nothing, onEvent });
    } catch (error) {
      // A host that does not answer is not a failure of the test.
      const isAnswer = error instanceof AppError && answers.length > 0;
      if (!isAnswer && !stop.aborted) throw error;
    } finally {
      await workspace.close();
      await removeContainers(context);
    }
    return { answers, isCut: stop.aborted };
  });
}

const pingPlan = (projectId: number, folder: string, inventory: InventoryPlan): AnsiblePlan => ({
  taskId: 0,
  projectId,
  repository: {
    id: null,
    address: parseAddress(conceal(folder), "none"),
    branch: null,
    commit: null,
    key: { type: "none" },
  },
  playbook: PLAYBOOK,
  inventory,
  env: {},
  secretEnv: {},
  extraVars: {},
  answers: {},
  secretVars: {},
  vaults: [],
  debug: false,
  dryRun: false,
  diff: false,
  limit: null,
  tags: [],
  skipTags: [],
  arguments: ARGUMENTS,
  skipGalaxyInstall: true,
  fullResults: false,
  keepsOutputs: false,
  details: {
    message: "",
    username: "",
    url: null,
    type: "",
    incomingVersion: null,
    targetVersion: null,
  },
});

/** The answer of a host as a result describes it. */
const answerOf = ({ host, status, message }: HostResult): HostAnswer => ({
  host,
  state: status === "failed" || status === "unreachable" ? status : "answered",
  said: status === "ok" ? "" : message.slice(0, SAID_MAX),
});
