import { join } from "node:path";
import {
  encloseRun,
  type Enclosure,
  giveAway,
  type Grounds,
  type Isolation,
  makeOwn,
  makePassage,
} from "./isolation.ts";
import { reveal, type Secret } from "../../base/secret.ts";
import { readPlainFile, removeTree } from "./files.ts";
import { shell } from "./shell.ts";
import { collectProcess } from "./supervise.ts";
import { baseEnvironment } from "./variables.ts";

/** Directory of one run, which nobody else may look into. All of a run's secrets lie here. */
export interface TaskDirectory {
  path: string;
  /** A directory whose path is short enough for the sockets of ssh-agent and of ssh masters. */
  sockets: string;
  /** Directory, in that one, of the connections that ssh keeps open. */
  connections: string;
  /** What keeps the run's processes to their part of the data folder. */
  enclosure: Enclosure;
  /** Writes a file only its owner may read, and gives its path. */
  write(name: string, ...parts: (string | Secret)[]): Promise<string>;
  /** The same for a script that others are told to run. */
  writeScript(name: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

/** A socket's path may have 104 bytes; ssh adds up to 28 to the directory's. */
const SOCKET_DIRECTORY_LENGTH_MAX = 72;
/** Tells the next start of the server where sockets lie that did not fit into the directory. */
const SOCKETS_FILE = "sockets_directory";
const SOCKETS_PREFIX = "/tmp/callboard-";
/** What `mktemp` makes of it: a run may have written something else into that file. */
const SOCKETS_NAME = /^\/tmp\/callboard-[A-Za-z0-9]{10}$/;

const CONNECTIONS = "c";

export const tasksDirectory = (dataDir: string) => join(dataDir, "tasks");

/** Makes the directory `<dataDir>/tasks/<name>` anew, for a run of the project. */
export async function createTaskDirectory(
  grounds: Grounds,
  projectId: number,
  name: string,
): Promise<TaskDirectory> {
  const { dataDir, isolation } = grounds;
  await makePassage(isolation, tasksDirectory(dataDir));
  const path = join(await Deno.realPath(tasksDirectory(dataDir)), name);
  await removeTree(path);
  await Deno.mkdir(path, { mode: 0o700 });
  const sockets = await makeSocketDirectory(grounds, path);
  await Deno.writeTextFile(join(path, "pids"), "", { mode: 0o600 });
  if (isolation.account) await openToAccount(path, isolation.account.gid);
  const enclosure = await encloseRun(grounds, { projectId, directory: path, sockets });

  const write = (mode: number) => async (name: string, ...parts: (string | Secret)[]) => {
    const file = join(path, name);
    const content = parts.map(reveal).join("");
    await Deno.writeTextFile(file, content, { mode, createNew: true });
    await giveAway(isolation, file);
    return file;
  };
  return {
    path,
    sockets,
    connections: join(sockets, CONNECTIONS),
    enclosure,
    write: write(0o600),
    writeScript: write(0o700),
    remove: () => removeTaskDirectory(path, enclosure),
  };
}

/** The account may put files there, but touch none of the server's, which writes to some of them. */
async function openToAccount(path: string, gid: number): Promise<void> {
  await Deno.chown(path, null, gid);
  await Deno.chmod(path, 0o1770);
}

async function makeSocketDirectory(
  { isolation }: Grounds,
  taskDirectory: string,
): Promise<string> {
  const own = join(taskDirectory, "s");
  await makeOwn(isolation, own);
  if (own.length <= SOCKET_DIRECTORY_LENGTH_MAX) {
    await makeOwn(isolation, join(own, CONNECTIONS));
    return own;
  }
  // By the shell, since the server itself may write into its data folder only.
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
export async function removeTaskDirectory(path: string, enclosure: Enclosure): Promise<void> {
  const other = await readPlainFile(join(path, SOCKETS_FILE));
  const sockets = other !== null && SOCKETS_NAME.test(other) ? other : join(path, "s");
  if (sockets === other || await holdsSome(join(sockets, CONNECTIONS))) {
    await endConnections(path, join(sockets, CONNECTIONS), enclosure);
  }
  if (sockets === other) await removeTree(other);
  await removeTree(path);
}

async function holdsSome(directory: string): Promise<boolean> {
  const entries = await Array.fromAsync(Deno.readDir(directory)).catch(() => []);
  return entries.length > 0;
}

/** Ends the connections that ssh keeps open after a run for the next play, one process a host. */
async function endConnections(
  path: string,
  connections: string,
  enclosure: Enclosure,
): Promise<void> {
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
    { directory: path, enclosure, graceMs: 1_000, stop: never, forceStop: never },
  );
}
