import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { IsolationMode } from "../../base/config.ts";

/** The account that runs tasks, if it is not the server's. */
export interface TaskAccount {
  name: string;
  uid: number;
  gid: number;
}

/** How the processes of runs are separated from the server: see docs/decisions/0017. */
export interface Isolation {
  mode: IsolationMode;
  /** Set only in the mode `user`. */
  account: TaskAccount | null;
  /** Files outside the data folder that runs must not see, which are those of the store. */
  hidden: string[];
  /** A folder that runs must not see, which is that of automatic backups. */
  hiddenFolder: string | null;
}

/** Settings of the sandbox that all runs of a server share. */
export interface SandboxSettings {
  dataDir: string;
  isolation: Isolation;
}

/** Commands that enclose the processes of one run. */
export interface Sandbox {
  /** Placed before the supervisor of a command. */
  outside: string[];
  /** Placed between the supervisor and the command. */
  inside: string[];
  account: TaskAccount | null;
}

export const noIsolation: Isolation = {
  mode: "none",
  account: null,
  hidden: [],
  hiddenFolder: null,
};
export const noSandbox: Sandbox = { outside: [], inside: [], account: null };

/** Returns the name of the account that runs tasks, or "" if it has none. */
export function accountName({ account }: Isolation): string {
  if (account) return account.name;
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** Callboard's own folder. Anyone who can change it decides what the server does next. */
export const CODE = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** Folders of the data folder with a subfolder for each project, which its runs may change. */
export const PROJECT_FOLDERS = ["repositories", "galaxy", "homes", "known_hosts"];
/** Folders that all runs may read: Ansible itself, toolchains, and the demo's repository. */
const READABLE = ["ansible", "toolchains", "demo.git"];

/** With these, root could get out again: by unmounting, by another process, by a disk's device. */
const DROPPED = ["SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "SYS_RAWIO", "MKNOD", "DAC_READ_SEARCH"];

/** The folders that belong to one run. */
interface RunFolders {
  projectId: number;
  /** The task's directory. `sockets` may lie in it, or be another name for its folder `s`. */
  directory: string;
  sockets: string;
  /** A further folder that it may change. */
  writable?: string;
}

/** Returns the commands that confine the processes of one run to its folders. */
export async function sandboxRun(
  { dataDir, isolation }: SandboxSettings,
  folders: RunFolders,
): Promise<Sandbox> {
  const { mode, account } = isolation;
  switch (mode) {
    case "none":
      return noSandbox;
    case "user":
      return { outside: [], inside: switchAccount(account!), account };
    case "bwrap":
      return { ...noSandbox, outside: await bubblewrap(dataDir, isolation, folders) };
  }
}

/** Drops all capabilities, too, because the server may have some without being root. */
const switchAccount = ({ uid, gid }: TaskAccount): string[] => [
  "setpriv",
  `--reuid=${uid}`,
  `--regid=${gid}`,
  "--init-groups",
  "--inh-caps=-all",
  "--ambient-caps=-all",
  "--",
];

async function bubblewrap(
  dataDir: string,
  { hidden, hiddenFolder }: Isolation,
  { projectId, directory, sockets, writable }: RunFolders,
): Promise<string[]> {
  const data = await Deno.realPath(dataDir);
  // Runs go on without the folder if its disk is gone.
  const backups = hiddenFolder && await Deno.realPath(hiddenFolder).catch(() => null);
  const isOutside = backups !== null && !`${backups}/`.startsWith(`${data}/`);
  const hide = (option: string) => isOutside ? [option, backups] : [];
  const own = PROJECT_FOLDERS.map((folder) => join(data, folder, String(projectId)));
  const same = (option: string, paths: string[]) => paths.flatMap((path) => [option, path, path]);
  return [
    "bwrap",
    ...["--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // First, because Callboard's own folders may lie in it.
    ...hide("--tmpfs"),
    ...same("--ro-bind", [CODE]),
    ...["--tmpfs", data, ...same("--bind", [directory]), ...same("--bind-try", own)],
    ...same("--ro-bind-try", READABLE.map((folder) => join(data, folder))),
    ...same("--bind", writable ? [writable] : []),
    ...["--remount-ro", data],
    ...hide("--remount-ro"),
    ...(sockets.startsWith(`${directory}/`) ? [] : ["--bind", join(directory, "s"), sockets]),
    ...hidden.flatMap((file) => ["--ro-bind", "/dev/null", file]),
    ...DROPPED.flatMap((name) => ["--cap-drop", `CAP_${name}`]),
    ...["--unshare-pid", "--die-with-parent", "--"],
  ];
}

/**
 * Creates a folder that leads to folders of the runs. They may pass through it, but not list it.
 */
export async function createTraversableDir({ account }: Isolation, path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  if (!account) return;
  await Deno.chown(path, null, account.gid);
  await Deno.chmod(path, 0o710);
}

/** Returns a folder without links, which `create` creates if it is missing. */
export async function existingDir(path: string, create: () => Promise<void>): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await create();
    return await Deno.realPath(path);
  }
}

/** Creates a folder that belongs to the runs, and that no one else may enter. Its parent exists. */
export async function createPrivateDir(isolation: Isolation, path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  await chownToTask(isolation, path);
}

/** Gives the ownership of a file or folder to the runs. */
export async function chownToTask(
  { account }: Pick<Isolation, "account">,
  path: string,
): Promise<void> {
  if (account) await Deno.chown(path, account.uid, account.gid);
}

/**
 * Gives the ownership of a folder and everything in it to the runs. No one else has entered it
 * before.
 */
export async function chownTreeToTask(isolation: Isolation, path: string): Promise<void> {
  if (!isolation.account) return;
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory) await chownTreeToTask(isolation, join(path, name));
    else await chownToTask(isolation, join(path, name));
  }
  await chownToTask(isolation, path);
}
