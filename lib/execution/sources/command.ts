import { join } from "node:path";
import { noSandbox } from "../process/isolation.ts";
import { collectProcess } from "../process/supervise.ts";
import { tasksDirectory } from "../process/task_directory.ts";
import { baseEnvironment } from "../process/variables.ts";
import { sourceError } from "./errors.ts";
import type { SourceKind, SourceMachine } from "./kind.ts";
import { requireShort, textValues } from "./text_values.ts";

const LIMIT_MS = 30_000;
const GRACE_MS = 1_000;

/**
 * The program that an admin has named. It gets the path as its argument and prints the secret, or
 * the certificate of the key in `CALLBOARD_PUBLIC_KEY` for the login in `CALLBOARD_LOGIN`. It
 * runs as the server does, outside of the isolation of tasks, which must not see its credentials.
 */
export const command: SourceKind = {
  builtIn: true,
  signs: true,
  fields: [],
  hasSecret: () => false,
  open({ storage, machine, projectId, stop }) {
    const run = async (path: string, variables: Record<string, string> = {}) => {
      const program = machine.sources.command;
      if (!program) throw sourceError(storage, path, "no_command");
      // The program could take it for an option, which only the admin may choose.
      if (path.startsWith("-")) throw sourceError(storage, path, "missing");
      // Between those of tasks, so that a process that outlives the server is found there.
      const directory = join(tasksDirectory(machine.dataDir), `source-${crypto.randomUUID()}`);
      await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
      try {
        const ended = await collectProcess(
          {
            command: [program, path],
            cwd: directory,
            env: { ...variablesOf(machine, directory, projectId), ...variables },
            limitMs: LIMIT_MS,
          },
          { directory, sandbox: noSandbox, graceMs: GRACE_MS, stop, forceStop: stop },
        );
        stop.throwIfAborted();
        const { exitCode, limitReached, stdout } = ended;
        if (limitReached) {
          throw sourceError(storage, path, "time_limit", { seconds: LIMIT_MS / 1000 });
        }
        if (exitCode !== 0) throw sourceError(storage, path, "command_failed", { exitCode });
        requireShort(storage, path, stdout.length);
        return textValues(stdout.replace(/\r?\n$/, ""));
      } finally {
        await Deno.remove(directory, { recursive: true });
      }
    };
    return {
      read: (path) => run(path),
      sign: (path, { publicKey, login }) =>
        run(path, { CALLBOARD_PUBLIC_KEY: publicKey, CALLBOARD_LOGIN: login }),
    };
  },
};

const variablesOf = (machine: SourceMachine, home: string, projectId: number) => ({
  ...machine.variables,
  ...baseEnvironment(machine.path, home),
  CALLBOARD_PROJECT_ID: String(projectId),
});
