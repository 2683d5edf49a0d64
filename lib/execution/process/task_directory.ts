import { join } from "node:path";
import {
  chownToTask,
  createPrivateDir,
  createTraversableDir,
  existingDir,
  type Isolation,
  type Sandbox,
  sandboxRun,
  type SandboxSettings,
} from "./isolation.ts";
import { reveal, type Secret } from "../../base/secret.ts";
import { readPlainFile, removeTree } from "./files.ts";
import { shell } from "./shell.ts";
import { collectProcess } from "./supervise.ts";
import { baseEnvironment } from "./variables.ts";

/** Directory of one run, which no one else may enter. It holds all secrets of the run. */
export interface TaskDirectory {
  /** Without links. */
  path: string;
  /**
   * A directory with a path that is short enough for the sockets of ssh-agent and of ssh masters.
   */
  sockets: string;
  /** Directory inside `sockets` for the connections that ssh holds open. */
  connections: string;
  /** Confines the run's processes to their part of the data folder. */
  sandbox: Sandbox;
  /** Writes a file that only its owner may read, and returns its path. */
  write(name: string, ...parts: (string | Secret)[]): Promise<string>;
  /** Like `write`, for a script that other programs run. */
  writeScript(name: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

/** A socket's path may have 104 bytes, of which ssh uses up to 28 after the directory's path. */
const SOCKET_DIRECTORY_LENGTH_MAX = 72;
/** File that names a directory for sockets elsewhere, so that the server's next start finds it. */
const SOCKETS_FILE = "sockets_directory";
const SOCKETS_PREFIX = "/tmp/callboard-";
/** A name that `mktemp` can have made. A run may have written something else into that file. */
const SOCKETS_NAME = /^\/tmp\/callboard-[A-Za-z0-9]{10}$/;

const CONNECTIONS = "c";

export const tasksDirectory = (dataDir: string) => join(dataDir, "tasks");

/**
 * Creates the directory `<dataDir>/tasks/<name>` for a run of the project, and removes an old one.
 * The run may also change the folder `writable`.
 */
export async function createTaskDirectory(
  sandboxSettings: SandboxSettings,
  projectId: number,
  name: string,
  writable?: string,
): Promise<TaskDirectory> {
  const { dataDir, isolation } = sandboxSettings;
  const tasks = tasksDirectory(dataDir);
  const path = join(await existingDir(tasks, () => createTraversableDir(isolation, tasks)), name);
  await createNew(path);
  const sockets = await makeSocketDirectory(sandboxSettings, path);
  await Deno.writeTextFile(join(path, "pids"), "", { mode: 0o600 });
  if (isolation.account) await openToAccount(path, isolation.account.gid);
  const sandbox = await sandboxRun(sandboxSettings, {
    projectId,
    directory: path,
    sockets,
    writable,
  });

  const write = (mode: number) => async (name: string, ...parts: (string | Secret)[]) => {
    const file = join(path, name);
    const content = parts.map((part) => reveal(part, "run")).join("");
    await Deno.writeTextFile(file, content, { mode, createNew: true });
    await chownToTask(isolation, file);
    return file;
  };
  return {
    path,
    sockets,
    connections: join(sockets, CONNECTIONS),
    sandbox,
    write: write(0o600),
    writeScript: write(0o700),
    remove: () => removeTaskDirectory(path, sandbox),
  };
}

/** Creates a folder that only the server may enter, in place of an old one. */
async function createNew(path: string): Promise<void> {
  try {
    await Deno.mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    await removeTree(path);
    await Deno.mkdir(path, { mode: 0o700 });
  }
}

/**
 * Lets the account create files there, but not change the server's, which writes to some of them.
 */
async function openToAccount(path: string, gid: number): Promise<void> {
  await Deno.chown(path, null, gid);
  await Deno.chmod(path, 0o1770);
}

async function makeSocketDirectory(
  { isolation }: SandboxSettings,
  taskDirectory: string,
): Promise<string> {
  const own = join(taskDirectory, "s");
  await createPrivateDir(isolation, own);
  if (own.length <= SOCKET_DIRECTORY_LENGTH_MAX) {
    await createPrivateDir(isolation, join(own, CONNECTIONS));
    return own;
  }
  // Done by the shell, since the server itself may write only into its data folder.
  const { stdout } = await shell(MAKE_SOCKETS, SOCKETS_PREFIX, CONNECTIONS, ownerOf(isolation));
  const other = stdout.trim();
  await Deno.writeTextFile(join(taskDirectory, SOCKETS_FILE), other, { mode: 0o600 });
  return other;
}

const MAKE_SOCKETS = `umask 077
made=$(mktemp -d "$1"XXXXXXXXXX) && mkdir "$made/$2" && echo "$made" || exit 1
[ -z "$3" ] || chown "$3" "$made" "$made/$2"`;

const ownerOf = ({ account }: Isolation) => account ? `${account.uid}:${account.gid}` : "";

/** Removes a task's directory with everything that belongs to it. */
export async function removeTaskDirectory(path: string, sandbox: Sandbox): Promise<void> {
  const other = await readPlainFile(join(path, SOCKETS_FILE));
  const sockets = other !== null && SOCKETS_NAME.test(other) ? other : join(path, "s");
  const folders = await connectionFolders(sockets);
  const held = await Promise.all(folders.map(holdsSome));
  if (sockets === other || held.includes(true)) await endConnections(path, folders, sandbox);
  if (sockets === other) await removeTree(other);
  await removeTree(path);
}

/** Folders of connections have names of one letter. Those behind jump hosts have their own. */
async function connectionFolders(sockets: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(sockets)).catch(() => []);
  const found = entries.filter(({ name, isDirectory }) => isDirectory && name.length === 1);
  return [...new Set([CONNECTIONS, ...found.map(({ name }) => name)])]
    .map((name) => join(sockets, name));
}

async function holdsSome(directory: string): Promise<boolean> {
  const entries = await Array.fromAsync(Deno.readDir(directory)).catch(() => []);
  return entries.length > 0;
}

/**
 * Ends the connections that ssh holds open after a run for the next play. Each one has a process.
 */
async function endConnections(
  path: string,
  folders: string[],
  sandbox: Sandbox,
): Promise<void> {
  const script = `for folder; do
    for socket in "$folder"/*; do
      [ -S "$socket" ] && ssh -F /dev/null -o ControlPath="$socket" -O exit all
    done
  done`;
  const never = new AbortController().signal;
  await collectProcess(
    {
      command: ["sh", "-c", script, "sh", ...folders],
      cwd: path,
      env: baseEnvironment("/usr/local/bin:/usr/bin:/bin", path),
      limitMs: 5_000,
    },
    { directory: path, sandbox, graceMs: 1_000, stop: never, forceStop: never },
  );
}
