import { spawn as spawnNode } from "node:child_process";
import { join } from "node:path";
import { type Duplex, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "./isolation.ts";
import { baseEnvironment, commandWithVariables, revealed, type Variables } from "./variables.ts";

/** A command to run, with all variables that it gets. */
export interface ProcessOptions {
  command: string[];
  cwd: string;
  env: Variables;
  /** Time after which it is stopped, or 0 for no limit. */
  limitMs: number;
}

/**
 * How long commands may live, how they are isolated, and where their process groups are recorded.
 */
export interface Supervision {
  /** The task's directory, which gets the file `pids`. */
  directory: string;
  /** Isolates the command. `noSandbox` is for programs that run nothing of a project. */
  sandbox: Sandbox;
  graceMs: number;
  /** Sends TERM, and KILL after the grace time. */
  stop: AbortSignal;
  /** Sends KILL immediately. */
  forceStop: AbortSignal;
}

const SUPERVISOR = fileURLToPath(new URL("./supervise.sh", import.meta.url));

/** The same descriptor as in supervise.sh. */
export const SOCKET_DESCRIPTOR = 9;

/** A command that runs under a supervisor. */
export interface Supervised {
  stdin: WritableStream<Uint8Array>;
  stdout: ReadableStream<Uint8Array>;
  status: Promise<{ code: number }>;
  kill(signal: "SIGKILL"): void;
}

/** Starts a command under a supervisor, which takes orders from its standard input. */
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

/**
 * Like `spawn`. `socket` is the other end of a socket that the command has as descriptor
 * `SOCKET_DESCRIPTOR`. Passing a fourth descriptor always makes Deno copy the server's page tables.
 */
export async function spawnWithSocket(
  options: ProcessOptions,
  supervision: Supervision,
): Promise<{ child: Supervised; socket: Duplex }> {
  const { args, env } = await invocation(options, supervision, "socket");
  // Deno's own function passes only the first three descriptors. This one reads NODE_V8_COVERAGE.
  const child = spawnNode("sh", args, {
    cwd: options.cwd,
    env,
    stdio: ["pipe", "pipe", "ignore", "pipe"],
  });
  const { promise: status, resolve, reject } = Promise.withResolvers<{ code: number }>();
  child.once("error", reject);
  child.once("exit", (code) => resolve({ code: code ?? KILLED }));
  const supervised: Supervised = {
    stdin: Writable.toWeb(child.stdin!) as WritableStream<Uint8Array>,
    stdout: Readable.toWeb(child.stdout!) as unknown as ReadableStream<Uint8Array>,
    status,
    kill: (signal) => void child.kill(signal),
  };
  return { child: supervised, socket: child.stdio[3] as Duplex };
}

/** The exit code after KILL, since no other signal ends a supervisor. */
const KILLED = 128 + 9;

/** Returns the arguments and the environment for the supervisor of a command. */
async function invocation(
  options: ProcessOptions,
  supervision: Supervision,
  output: "merged" | "apart" | "socket",
) {
  const { directory, sandbox, graceMs } = supervision;
  const { outside, inside, account } = sandbox;
  const graceSeconds = Math.ceil(graceMs / 1000);
  const enclosed = outside.length + inside.length > 0;
  const env = revealed(options.env);
  const command = enclosed
    ? await commandWithVariables(options.command, env, directory, account)
    : options.command;
  const supervisor = [SUPERVISOR, String(graceSeconds), join(directory, "pids"), output];
  const supervised = [...supervisor, ...inside, ...command];
  const path = env.PATH ?? "";
  return {
    args: [
      ...[...APART, path],
      ...(outside.length > 0 ? [...outside, "sh"] : []),
      ...supervised,
    ],
    env: {
      ...(enclosed ? baseEnvironment(path, directory) : env),
      PATH: Deno.env.get("PATH") ?? "",
    },
  };
}

/**
 * Leaves the server's process group, because Ctrl+C at its terminal is only for the server. Deno's
 * own `detached` would copy the server's page tables for each process. That blocks all requests,
 * for 30 ms if the server holds 300 MB.
 *
 * It also sets the command's PATH, which may begin with a folder that has a shell of its own. Deno
 * would look for `sh` there, and may only start that of the server's PATH.
 */
const APART = ["-c", 'PATH=$1; shift; exec setsid sh "$@"', "sh"];
