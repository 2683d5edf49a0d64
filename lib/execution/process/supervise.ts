import { whenAborted } from "../../base/time/abort.ts";
import { after } from "../../base/time/after.ts";
import { collector, type Drain, drain, finishProcess } from "./drain.ts";
import { spawnReporting } from "./reports.ts";
import { type ProcessOptions, spawn, type Supervised, type Supervision } from "./spawn.ts";

interface ProcessEnd {
  /** 128 plus the signal's number if a signal ended it. */
  exitCode: number;
  /** Whether it was ended because it exceeded its time limit. */
  limitReached: boolean;
}

/** Time that a supervisor gets to kill its processes, because they may have stopped it. */
const KILL_LIMIT_MS = 10_000;

/**
 * Runs a command to its end and passes its output (both streams as they came) to `onOutput`, chunk
 * by chunk. Reading waits for the promise that `onOutput` may return.
 */
export async function runProcess(
  options: ProcessOptions,
  supervision: Supervision,
  onOutput: Take,
): Promise<ProcessEnd> {
  const child = await spawn(options, supervision, "merged");
  return await waitFor(child, options, supervision, [drain(child.stdout, onOutput)]);
}

/** Like `runProcess`, for a command that reports on a socket, where it first finds a line. */
export async function runReporting(
  options: ProcessOptions,
  supervision: Supervision,
  { line, onOutput, onReport }: { line: string; onOutput: Take; onReport: Take },
): Promise<ProcessEnd> {
  const { child, reports, close } = await spawnReporting(options, supervision, `${line}\n`);
  try {
    return await waitFor(child, options, supervision, [
      drain(child.stdout, onOutput),
      drain(reports, onReport),
    ]);
  } finally {
    close();
  }
}

type Take = (chunk: Uint8Array) => void | Promise<void>;

/**
 * Runs a command to its end and returns its output as text, each stream up to 1 MiB. With
 * `onOutput`, the standard output goes there, whatever its length.
 */
export async function collectProcess(
  options: ProcessOptions,
  supervision: Supervision,
  onOutput?: Take,
): Promise<ProcessEnd & { stdout: string; stderr: string }> {
  const child = await spawn(options, supervision, "apart");
  const [stdout, stderr] = [collector(), collector()];
  const end = await waitFor(child, options, supervision, [
    drain(child.stdout, onOutput ?? stdout.add),
    drain(child.stderr, stderr.add),
  ]);
  return { ...end, stdout: stdout.text(), stderr: stderr.text() };
}

async function waitFor(
  child: Supervised,
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
  // Output that cannot be stored must not be produced. finish() throws the failure itself.
  for (const { done } of drains) done.catch(kill);
  try {
    const { code } = await child.status;
    await finishProcess(drains);
    return { exitCode: code, limitReached };
  } finally {
    for (const release of [...timers, ...unlisten]) release();
    await lifeline.close().catch(() => {});
  }
}

function killSupervisor(child: Supervised) {
  try {
    child.kill("SIGKILL");
  } catch {
    // The command has ended, and the rest of its output is still being read.
  }
}

const encoder = new TextEncoder();
