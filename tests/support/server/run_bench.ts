import { fileURLToPath } from "node:url";
import { conceal } from "@/lib/base/secret.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import { parseAddress } from "@/lib/execution/git/address.ts";
import type { RunEnvironment } from "@/lib/execution/run/environment.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import type { RunOutcome } from "@/lib/execution/run/io.ts";
import type { UsedRequirements } from "@/lib/execution/run/used_requirements.ts";
import type { Commit } from "@/lib/execution/run/plan.ts";
import { noSources } from "@/lib/execution/sources/settings.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { runTask } from "@/lib/execution/runner.ts";
import { startProgram } from "@/lib/runner/program/program.ts";
import { newRunnerKeys } from "@/lib/runner/seal.ts";
import { RUNNER_TOKEN, serveRunner } from "./runner_server.ts";
import { until } from "@/tests/support/basics/until.ts";
import { type GitRepository, newGitRepository } from "@/tests/support/services/git_repository.ts";

/** Everything needed to run plans, in a folder that is removed afterwards. */
export interface RunBench {
  directory: string;
  environment: RunEnvironment;
  repository: GitRepository;
  plan(changes?: Partial<AnsiblePlan>): AnsiblePlan;
  run(plan: AnsiblePlan, options?: RunOptions): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface RunOptions {
  stop?: AbortSignal;
  forceStop?: AbortSignal;
  onLine?: (line: string) => void;
  onEvent?: (event: RunEvent) => void;
}

export interface Ran extends RunOutcome {
  log: string;
  commit: Commit | null;
  requirements: UsedRequirements | null;
  started: boolean;
}

export const STAND_IN = fileURLToPath(new URL("./ansible_playbook_stand_in.sh", import.meta.url));

/** Replaces Ansible's program by a script of the test. */
export async function replace(bench: RunBench, which: "playbook" | "galaxy", script: string) {
  await Deno.mkdir(`${bench.directory}/bin`, { recursive: true });
  const path = `${bench.directory}/bin/ansible-${which}`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  bench.environment.ansible[which] = path;
}

/** Returns the folders of tasks that still exist. */
export const leftovers = (bench: RunBench) =>
  [...Deno.readDirSync(`${bench.environment.dataDir}/tasks`)].map((entry) => entry.name);

/** The program that carries plans out: a server itself, or a runner of a server. */
export type RunsOn = "server" | "runner";

/** Registers a proof twice: for a server, and for a runner that talks to one. */
export function proveOnBoth(
  name: string,
  prove: (on: RunsOn) => Promise<void>,
  options: { ignore?: boolean } = {},
): void {
  Deno.test({ ...options, name, fn: () => prove("server") });
  Deno.test({ ...options, name: `${name}, on a runner`, fn: () => prove("runner") });
}

export async function newRunBench(on: RunsOn = "server"): Promise<RunBench> {
  const directory = await Deno.makeTempDir({ prefix: "run_bench_" });
  const repository = await newGitRepository(`${directory}/repository`);
  await repository.commit({ "site.yml": "- hosts: all\n  gather_facts: false\n" }, "First play");
  const environment: RunEnvironment = {
    dataDir: `${directory}/data`,
    isolation: noIsolation,
    path: Deno.env.get("PATH")!,
    variables: {},
    graceMs: 2_000,
    ansible: { playbook: STAND_IN, galaxy: "/bin/false" },
    timeLimits: { gitMs: 20_000, galaxyMs: 20_000, taskMs: 0 },
    fullDisk: { waitMs: 20_000, reason: "errors.run.disk_full" },
    waitingEvents: { length: 0 },
    sources: noSources,
    packages: { wheels: null, collections: null, galaxy: null, keyring: null },
  };
  let taskId = 1;
  const runner = on === "runner" ? await newBenchRunner(environment) : null;
  return {
    directory,
    environment,
    repository,
    plan: (changes) => ({ ...planOf(repository, taskId++), ...changes }),
    run: (plan, options) => runner?.run(plan, options) ?? run(environment, plan, options),
    async [Symbol.asyncDispose]() {
      await runner?.end();
      await Deno.remove(directory, { recursive: true });
    },
  };
}

/** A runner whose folder is the bench's, and a server's side of the protocol. */
async function newBenchRunner(environment: RunEnvironment) {
  const { publicKey, privateKey } = await newRunnerKeys();
  const server = serveRunner(() => publicKey);
  const program = startProgram({
    environment,
    target: { server: server.url, token: conceal(RUNNER_TOKEN), caCerts: [] },
    runnerId: server.runnerId,
    privateKey,
    facts: {
      version: "1",
      platform: "linux/x64",
      ansible: null,
      isolation: "none",
      slots: 10,
      abilities: [],
    },
    tokens: { issued: Date.now(), keep: () => Promise.resolve() },
    once: false,
    drainMs: 0,
    log: () => {},
    onStatus: () => {},
  });

  async function run(plan: AnsiblePlan, options: RunOptions = {}): Promise<Ran> {
    const served = server.offer(plan, environment.timeLimits.taskMs);
    const stop = () => server.stop(served, "stop");
    const force = () => server.stop(served, "force");
    options.stop?.addEventListener("abort", stop);
    options.forceStop?.addEventListener("abort", force);
    let told = 0;
    await until(() => {
      for (; told < served.lines.length; told++) options.onLine?.(served.lines[told]);
      return served.ended;
    }, 120_000);
    served.events.forEach((event) => options.onEvent?.(event));
    const { outcome, checkout, requirements = null, started } = served.state!;
    const { end, reason } = outcome!;
    return { end, reason, log: served.lines.join("\n"), commit: checkout, requirements, started };
  }

  return {
    run,
    async end() {
      program.drain();
      await program.ended;
      await server[Symbol.asyncDispose]();
    },
  };
}

async function run(environment: RunEnvironment, plan: AnsiblePlan, options: RunOptions = {}) {
  const lines: string[] = [];
  const ran: Omit<Ran, "log" | keyof RunOutcome> = {
    commit: null,
    requirements: null,
    started: false,
  };
  const never = new AbortController().signal;
  const outcome = await runTask(environment, plan, {
    stop: options.stop ?? never,
    forceStop: options.forceStop ?? never,
    writeLine(line) {
      lines.push(line);
      options.onLine?.(line);
    },
    onEvent: (event) => options.onEvent?.(event),
    onCheckout: (commit) => void (ran.commit = commit),
    onRequirements: (used) => void (ran.requirements = used),
    onStarted: () => void (ran.started = true),
  });
  return { ...outcome, ...ran, log: lines.join("\n") };
}

const planOf = (repository: GitRepository, taskId: number): AnsiblePlan => ({
  taskId,
  projectId: 1,
  playbook: "site.yml",
  repository: {
    id: 1,
    address: parseAddress(conceal(repository.url), "none"),
    branch: "main",
    commit: null,
    key: { type: "none" },
  },
  inventory: {
    type: "static",
    content: "localhost ansible_connection=local",
    repository: null,
    userKey: { type: "none" },
    becomeKey: null,
  },
  extraVars: {},
  answers: {},
  secretVars: {},
  env: {},
  secretEnv: {},
  vaults: [],
  debug: false,
  dryRun: false,
  diff: false,
  limit: null,
  tags: [],
  skipTags: [],
  arguments: [],
  skipGalaxyInstall: false,
  fullResults: true,
  keepsOutputs: false,
  details: {
    message: "",
    username: "bob",
    url: null,
    type: "",
    incomingVersion: null,
    targetVersion: null,
  },
});
