import { join } from "node:path";
import { baseEnvironment, collectProcess } from "./process.ts";

/** Directory of one run, which nobody else may look into. All of a run's secrets lie here. */
export interface TaskDirectory {
  path: string;
  /** A directory whose path is short enough for the sockets of ssh-agent and of ssh masters. */
  sockets: string;
  /** Writes a file only its owner may read, and gives its path. */
  write(name: string, content: string): Promise<string>;
  /** The same for a script that others are told to run. */
  writeScript(name: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

/** A socket's path may have 104 bytes; ssh adds up to 28 to the directory's. */
const SOCKET_DIRECTORY_LENGTH_MAX = 72;
/** Tells the next start of the server where sockets lie that did not fit into the directory. */
const SOCKETS_FILE = "sockets_directory";
const SOCKETS_PREFIX = "/tmp/callboard-";

/** Directory, in the sockets' one, of the connections that ssh keeps open. */
export const CONNECTIONS = "c";

export const tasksDirectory = (dataDir: string) => join(dataDir, "tasks");

/** Makes the directory `<dataDir>/tasks/<name>` anew. */
export async function createTaskDirectory(dataDir: string, name: string): Promise<TaskDirectory> {
  await makePrivate(tasksDirectory(dataDir));
  const path = join(await Deno.realPath(tasksDirectory(dataDir)), name);
  await removeTree(path);
  await Deno.mkdir(path, { mode: 0o700 });
  const sockets = await makeSocketDirectory(path);

  const write = (mode: number) => async (name: string, content: string) => {
    const file = join(path, name);
    await Deno.writeTextFile(file, content, { mode, createNew: true });
    return file;
  };
  return {
    path,
    sockets,
    write: write(0o600),
    writeScript: write(0o700),
    remove: () => removeTaskDirectory(path),
  };
}

/** Makes a directory that only its owner may enter, with those above it. */
export const makePrivate = (path: string) => Deno.mkdir(path, { recursive: true, mode: 0o700 });

async function makeSocketDirectory(taskDirectory: string): Promise<string> {
  const own = join(taskDirectory, "s");
  if (own.length <= SOCKET_DIRECTORY_LENGTH_MAX) {
    await Deno.mkdir(own, { mode: 0o700 });
    return own;
  }
  // By the shell, since the server itself may write into its data folder only.
  const { stdout } = await shell('umask 077; mktemp -d "$1"XXXXXXXXXX', SOCKETS_PREFIX);
  const other = new TextDecoder().decode(stdout).trim();
  await Deno.writeTextFile(join(taskDirectory, SOCKETS_FILE), other, { mode: 0o600 });
  return other;
}

/** Removes a task's directory with everything that belongs to it. */
export async function removeTaskDirectory(path: string): Promise<void> {
  const other = await Deno.readTextFile(join(path, SOCKETS_FILE)).catch(() => null);
  const sockets = other?.startsWith(SOCKETS_PREFIX) ? other : join(path, "s");
  if (sockets === other || await holdsSome(join(sockets, CONNECTIONS))) {
    await endConnections(path, join(sockets, CONNECTIONS));
  }
  if (sockets === other) await removeTree(other);
  await removeTree(path);
}

async function holdsSome(directory: string): Promise<boolean> {
  const entries = await Array.fromAsync(Deno.readDir(directory)).catch(() => []);
  return entries.length > 0;
}

/** Ends the connections that ssh keeps open after a run for the next play, one process a host. */
async function endConnections(path: string, connections: string): Promise<void> {
  const script = `for socket in "$1"/*; do
    [ -S "$socket" ] && ssh -F /dev/null -o ControlPath="$socket" -O exit all
  done`;
  const never = new AbortController().signal;
  await collectProcess(
    {
      command: ["sh", "-c", script, "sh", connections],
      cwd: path,
      env: baseEnvironment("/usr/local/bin:/usr/bin:/bin", path),
      limitMs: 5_000,
    },
    { directory: path, graceMs: 1_000, stop: never, forceStop: never },
  );
}

/** Removes a tree if there is one, also when a play took the right to write from its directories. */
export async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    const { code, stderr } = await shell('chmod -R u+rwX -- "$1"; rm -rf -- "$1"', path);
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr), { cause: error });
  }
}

const shell = (script: string, ...args: string[]) =>
  new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    clearEnv: true,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    stdin: "null",
  }).output();
