import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { whenAborted } from "../../base/abort.ts";
import { after } from "../../base/after.ts";
import { collector, type Drain, drain, finish } from "./drain.ts";
import { type Enclosure, noEnclosure } from "./isolation.ts";
import { baseEnvironment, commandWithVariables, revealed, type Variables } from "./variables.ts";

/** A command to run, with the only variables it gets. */
interface ProcessOptions {
  command: string[];
  cwd: string;
  env: Variables;
  /** After this time it is stopped; 0 for no limit. */
  limitMs: number;
}

/** How long commands may live, what keeps them in, and where their process groups are recorded. */
export interface Supervision {
  /** The task's directory, which gets the file `pids`. */
  directory: string;
  /** What keeps the command in; nothing does when it is left out. */
  enclosure?: Enclosure;
  graceMs: number;
  /** TERM, and KILL after the grace time. */
  stop: AbortSignal;
  /** KILL at once. */
  forceStop: AbortSignal;
}

interface ProcessEnd {
  /** 128 and the signal's number when a signal ended it. */
  exitCode: number;
  /** Whether it was ended for taking longer than its limit. */
  limitReached: boolean;
}

/** Time that a supervisor gets to kill what there is: what it watches over may have stopped it. */
const KILL_LIMIT_MS = 10_000;
const SUPERVISOR = fileURLToPath(new URL("./supervise.sh", import.meta.url));

/**
 * Runs a command to its end and hands its output (both streams as they came) to `onOutput`, chunk by
 * chunk. Reading waits for the promise that `onOutput` may give.
 */
export async function runProcess(
  options: ProcessOptions,
  supervision: Supervision,
  onOutput: (chunk: Uint8Array) => void | Promise<void>,
): Promise<ProcessEnd> {
  const child = await spawn(options, supervision, "merged");
  return await waitFor(child, options, supervision, [drain(child.stdout, onOutput)]);
}

/** Runs a command to its end and gives its output as text, each stream up to 1 MiB. */
export async function collectProcess(
  options: ProcessOptions,
  supervision: Supervision,
): Promise<ProcessEnd & { stdout: string; stderr: string }> {
  const child = await spawn(options, supervision, "apart");
  const [stdout, stderr] = [collector(), collector()];
  const end = await waitFor(child, options, supervision, [
    drain(child.stdout, stdout.add),
    drain(child.stderr, stderr.add),
  ]);
  return { ...end, stdout: stdout.text(), stderr: stderr.text() };
}

async function spawn(
  options: ProcessOptions,
  supervision: Supervision,
  output: "merged" | "apart",
) {
  const { directory, enclosure = noEnclosure, graceMs } = supervision;
  const { outside, inside, account } = enclosure;
  const graceSeconds = Math.ceil(graceMs / 1000);
  const enclosed = outside.length + inside.length > 0;
  const env = revealed(options.env);
  const command = enclosed
    ? await commandWithVariables(options.command, env, directory, account)
    : options.command;
  const supervisor = [SUPERVISOR, String(graceSeconds), join(directory, "pids"), output];
  const supervised = [...supervisor, ...inside, ...command];
  return new Deno.Command("sh", {
    args: outside.length > 0 ? [...IN_FRONT, ...outside, "sh", ...supervised] : supervised,
    cwd: options.cwd,
    env: enclosed ? baseEnvironment(env.PATH ?? "", directory) : env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: output === "apart" ? "piped" : "null",
    // Out of the server's group: a Ctrl+C at its terminal is for the server alone.
    detached: true,
  }).spawn();
}

/**
 * The parent of what is to die with its parent: threads of the server's process come and go, and to
 * the kernel each of them is one.
 */
const IN_FRONT = ["-c", '"$@"; exit "$?"', "sh"];

async function waitFor(
  child: Deno.ChildProcess,
  options: ProcessOptions,
  { stop, forceStop, graceMs }: Supervision,
  drains: Drain[],
): Promise<ProcessEnd> {
  const lifeline = child.stdin.getWriter();
  const say = (order: string) => void lifeline.write(encoder.encode(order)).catch(() => {});
  let limitReached = false;
  const timers: (() => void)[] = [];
  const kill = () => {
    say("kill\n");
    timers.push(after(KILL_LIMIT_MS, () => killSupervisor(child)));
  };
  const end = () => {
    say("stop\n");
    timers.push(after(graceMs, kill));
  };
  timers.push(after(options.limitMs || Infinity, () => {
    limitReached = true;
    end();
  }));
  const unlisten = [whenAborted(stop, end), whenAborted(forceStop, kill)];
  // Output that cannot be stored must not be produced: the failure itself is thrown by finish().
  for (const { done } of drains) done.catch(kill);
  try {
    const { code } = await child.status;
    await finish(drains);
    return { exitCode: code, limitReached };
  } finally {
    for (const forget of [...timers, ...unlisten]) forget();
    await lifeline.close().catch(() => {});
  }
}

function killSupervisor(child: Deno.ChildProcess) {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended: what it has left in its pipe is still being read.
  }
}

const encoder = new TextEncoder();
