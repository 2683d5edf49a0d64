import { spawn as spawnNode } from "node:child_process";
import { join } from "node:path";
import { type Duplex, Readable, Writable } from "node:stream";
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

/** A supervised command, and what can be done with it. */
export interface Supervised {
  stdin: WritableStream<Uint8Array>;
  stdout: ReadableStream<Uint8Array>;
  status: Promise<{ code: number }>;
  kill(signal: "SIGKILL"): void;
}

/** Starts a command below a supervisor, which its standard input gives orders to. */
export async function spawn(
  options: ProcessOptions,
  supervision: Supervision,
  output: "merged" | "apart",
) {
  const { args, env } = await invocation(options, supervision, output);
  return new Deno.Command("sh", {
    args,
    cwd: options.cwd,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: output === "merged" ? "null" : "piped",
  }).spawn();
}

/** The same; `reports` is the other end of a socket that the command has as descriptor `REPORTS`. */
export async function spawnReporting(
  options: ProcessOptions,
  supervision: Supervision,
): Promise<Supervised & { reports: Duplex }> {
  const { args, env } = await invocation(options, supervision, "reported");
  // Deno's own way knows no descriptor but the first three. This one reads NODE_V8_COVERAGE.
  const child = spawnNode("sh", args, {
    cwd: options.cwd,
    env,
    stdio: ["pipe", "pipe", "ignore", "pipe"],
  });
  const { promise: status, resolve, reject } = Promise.withResolvers<{ code: number }>();
  child.once("error", reject);
  child.once("exit", (code) => resolve({ code: code ?? KILLED }));
  return {
    stdin: Writable.toWeb(child.stdin!) as WritableStream<Uint8Array>,
    stdout: Readable.toWeb(child.stdout!) as unknown as ReadableStream<Uint8Array>,
    reports: child.stdio[3] as Duplex,
    status,
    kill: (signal) => void child.kill(signal),
  };
}

/** The exit code of what KILL has ended: nothing else ends a supervisor. */
const KILLED = 128 + 9;

/** What the supervisor of a command is started with. */
async function invocation(
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
  return {
    args: [...APART, ...(outside.length > 0 ? [...IN_FRONT, ...outside, "sh"] : []), ...supervised],
    env: enclosed ? baseEnvironment(env.PATH ?? "", directory) : env,
  };
}

/**
 * The parent of what is to die with its parent: threads of the server's process come and go, and to
 * the kernel each of them is one.
 */
const IN_FRONT = ["-c", '"$@"; exit "$?"', "sh"];

/**
 * Out of the server's group: a Ctrl+C at its terminal is for the server alone. Deno's own `detached`
 * would copy the server's page tables for each process, and nobody is served meanwhile: for 30 ms
 * where the server holds 300 MB.
 */
const APART = ["-c", 'exec setsid sh "$@"', "sh"];
