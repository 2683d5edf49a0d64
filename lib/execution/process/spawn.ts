import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Enclosure, noEnclosure } from "./isolation.ts";
import { baseEnvironment, commandWithVariables, revealed, type Variables } from "./variables.ts";

/** A command to run, with the only variables it gets. */
export interface ProcessOptions {
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

const SUPERVISOR = fileURLToPath(new URL("./supervise.sh", import.meta.url));

/** As in supervise.sh. */
export const REPORTS = 9;

/** Starts a command below a supervisor, which its standard input gives orders to. */
export async function spawn(
  options: ProcessOptions,
  supervision: Supervision,
  output: "merged" | "apart" | "reported",
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
    stderr: output === "merged" ? "null" : "piped",
    // Out of the server's group: a Ctrl+C at its terminal is for the server alone.
    detached: true,
  }).spawn();
}

/**
 * The parent of what is to die with its parent: threads of the server's process come and go, and to
 * the kernel each of them is one.
 */
const IN_FRONT = ["-c", '"$@"; exit "$?"', "sh"];
