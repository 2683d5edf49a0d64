import { AppError } from "../../base/errors.ts";
import { conceal, secretsIn } from "../../base/secret.ts";
import { parseAddress } from "../git/address.ts";
import { openWorkspace } from "../git/workspace.ts";
import { runLog } from "../log/run_log.ts";
import { withContext } from "../run/context.ts";
import type { RunEnvironment } from "../run/environment.ts";
import type { AnsiblePlan, InventoryPlan } from "./plan.ts";
import { runPlaybook } from "./playbook.ts";

/** What came of asking one host. */
interface HostAnswer {
  host: string;
  state: "answered" | "failed" | "unreachable";
  /** What Ansible says of it; "" for a host that answered. */
  said: string;
}

export interface HostAnswers {
  /** In the order in which they came. */
  answers: HostAnswer[];
  /** Whether time ran out before all hosts were asked. */
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
/** So that hosts far away are not waited for one after the other. */
const ARGUMENTS = ["--forks=25", "--timeout=10"];
/** The output that is read here, whatever a file of settings says. */
const OUTPUT = { ANSIBLE_STDOUT_CALLBACK: "default", ANSIBLE_CALLBACK_RESULT_FORMAT: "json" };
const HOSTS_MAX = 5000;
const SAID_MAX = 500;

/**
 * Runs a play that pings all hosts of an inventory, with its keys, as a task would. Throws 422 with
 * the reason when no host was asked.
 */
export function pingHosts(
  env: RunEnvironment,
  projectId: number,
  inventory: InventoryPlan,
  stop: AbortSignal,
): Promise<HostAnswers> {
  const answers: HostAnswer[] = [];
  const log = runLog(secretsIn(inventory), (line) => {
    const answer = answerIn(line);
    if (answer && answers.length < HOSTS_MAX) answers.push(answer);
  });
  const stage = { projectId, name: `ping-${crypto.randomUUID().slice(0, 8)}`, log, stop };
  return withContext(env, stage, async (context) => {
    const { path } = context.directory;
    await context.directory.write(PLAYBOOK, PLAY);
    const plan = pingPlan(projectId, path, inventory);
    const workspace = await openWorkspace(context, plan.repository, "play");
    try {
      const nothing = () => {};
      const io = { stop, forceStop: stop, onCheckout: nothing, onStarted: nothing };
      await runPlaybook(context, plan, workspace, { ...io, writeLine: nothing });
    } catch (error) {
      // That a host does not answer is no failure of asking.
      const isAnswer = error instanceof AppError && answers.length > 0;
      if (!isAnswer && !stop.aborted) throw error;
    } finally {
      await workspace.close();
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
  env: OUTPUT,
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
  details: {
    message: "",
    username: "",
    url: null,
    type: "",
    incomingVersion: null,
    targetVersion: null,
  },
});

// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g;
const ANSWER = /^(ok|fatal): \[([^\]]+)\](?:: (FAILED|UNREACHABLE)! => (\{.*\}))?$/;

/** What a line of Ansible's output tells of a host, if it does. */
function answerIn(line: string): HostAnswer | null {
  const [, , host, failure, result] = ANSWER.exec(line.replace(COLOURS, "")) ?? [];
  if (!host) return null;
  if (!failure) return { host, state: "answered", said: "" };
  const state = failure === "FAILED" ? "failed" : "unreachable";
  return { host, state, said: messageIn(result).slice(0, SAID_MAX) };
}

function messageIn(result: string): string {
  try {
    const { msg, module_stderr: said } = JSON.parse(result);
    return [msg, said].find((text) => typeof text === "string" && text !== "") ?? result;
  } catch {
    return result;
  }
}
