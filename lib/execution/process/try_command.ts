import { collectProcess } from "./supervise.ts";
import { baseEnvironment } from "./variables.ts";
import type { SandboxSettings } from "./isolation.ts";
import { createTaskDirectory } from "./task_directory.ts";

/** Everything that decides whether a command works in a run. */
export interface CommandEnvironment extends SandboxSettings {
  /** PATH of every child process. */
  path: string;
  /** More variables for every child process, such as those for a proxy. */
  variables: Record<string, string>;
}

interface Attempt {
  works: boolean;
  stdout: string;
  /** The last line of its error output, or why it did not end on its own. */
  complaint: string;
}

const LIMIT_MS = 60_000;
const GRACE_MS = 1_000;
const SAID_MAX = 500;
/** Not the id of a project, since ids begin with 1. */
const NO_PROJECT = 0;

interface CommandOptions {
  projectId?: number;
  limitMs?: number;
  stop?: AbortSignal;
}

/**
 * Runs `command` as runs of a project do: with only their variables, and with the same isolation.
 */
export async function tryCommand(
  env: CommandEnvironment,
  command: string[],
  { projectId = NO_PROJECT, limitMs = LIMIT_MS, stop = new AbortController().signal }:
    CommandOptions = {},
): Promise<Attempt> {
  const directory = await createTaskDirectory(
    env,
    projectId,
    `try-${crypto.randomUUID().slice(0, 8)}`,
  );
  try {
    const { exitCode, limitReached, stdout, stderr } = await collectProcess(
      {
        command,
        cwd: directory.path,
        env: { ...env.variables, ...baseEnvironment(env.path, directory.path) },
        limitMs,
      },
      {
        directory: directory.path,
        sandbox: directory.sandbox,
        graceMs: GRACE_MS,
        stop,
        forceStop: stop,
      },
    );
    const said = stderr.trim().split("\n").at(-1)!.slice(0, SAID_MAX);
    const complaint = limitReached ? "it took too long" : said || `it exited with code ${exitCode}`;
    return { works: exitCode === 0 && !limitReached, stdout, complaint };
  } finally {
    await directory.remove();
  }
}
