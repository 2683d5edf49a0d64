import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { IsolationMode } from "../../base/settings/config.ts";
import { CODE, PROJECT_FOLDERS, READABLE } from "./folders.ts";
import { type HiddenPaths, nothingHidden } from "./hidden_paths.ts";
import { isWithin } from "./look_at_paths.ts";

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
  /** Files and folders outside the data folder that runs must not see. */
  hidden: HiddenPaths;
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
  hidden: nothingHidden,
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

const ENCLOSE = fileURLToPath(new URL("./enclose.sh", import.meta.url));

/** Options of bubblewrap that mount something at a path. */
type MountedPath = [path: string, ...options: string[]];

async function bubblewrap(
  dataDir: string,
  { hidden }: Isolation,
  { projectId, directory, sockets, writable }: RunFolders,
): Promise<string[]> {
  const data = await Deno.realPath(dataDir);
  const own = PROJECT_FOLDERS.map((folder) => join(data, folder, String(projectId)));
  const same = (option: string, paths: string[]) => paths.flatMap((path) => [option, path, path]);
  const patterns = hidden.projectFolders;
  const ownSecrets = patterns.map((pattern) => pattern.replaceAll("{project}", `${projectId}`))
    .filter((folder) => hidden.folders.some((parent) => isWithin(folder, parent)));
  const mounted: MountedPath[] = [
    ...foldersAbove(hidden, data).map((path): MountedPath => [path, "--pin", path]),
    ...hidden.folders.map((path): MountedPath => [path, "--hide", path]),
    ...[...hidden.shown, ...ownSecrets]
      .map((path): MountedPath => [path, "--show", path]),
    [CODE, ...same("--ro-bind", [CODE])],
    [
      ...[data, "--tmpfs", data, ...same("--bind", [directory])] as const,
      ...same("--bind-try", own),
      ...same("--ro-bind-try", READABLE.map((folder) => join(data, folder))),
      ...same("--bind", writable ? [writable] : []),
    ],
  ];
  return [
    ...[ENCLOSE, "bwrap", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // A folder comes before those in it, since each mount covers what is below.
    ...mounted.toSorted(([a], [b]) => a === b ? 0 : a < b ? -1 : 1).flatMap(([, ...options]) =>
      options
    ),
    ...["--remount-ro", data],
    ...patterns.flatMap((pattern) => othersOf(pattern, projectId, hidden)),
    ...hidden.folders.flatMap((path) => ["--close", path]),
    ...hidden.files.flatMap((path) => ["--mask", path]),
    ...hidden.fixed.flatMap((path) => ["--show", path]),
    ...(sockets.startsWith(`${directory}/`) ? [] : ["--bind", join(directory, "s"), sockets]),
    ...DROPPED.flatMap((name) => ["--cap-drop", `CAP_${name}`]),
    ...["--unshare-pid", "--die-with-parent", "--"],
  ];
}

const OWN_TREES = ["/dev", "/proc", "/sys"];

/**
 * Returns the folders above all that is hidden or fixed. Without a mount of its own, a run could
 * move one of these, and the next run would find the secrets in another place.
 */
function foldersAbove({ folders, files, fixed, projectFolders }: HiddenPaths, data: string) {
  const covered = [...folders, data, CODE, ...OWN_TREES];
  const above = new Set<string>();
  for (const path of [...folders, ...files, ...fixed, ...projectFolders, data, CODE]) {
    for (let folder = dirname(path); folder !== "/"; folder = dirname(folder)) above.add(folder);
  }
  return [...above].filter((folder) =>
    !folder.includes("{project}") && !covered.some((tree) => isWithin(folder, tree))
  );
}

/** Returns the option that hides the folders of other projects. */
function othersOf(pattern: string, projectId: number, { folders }: HiddenPaths): string[] {
  const glob = pattern.replace(/[*?[\\]/g, "[$&]").replaceAll("{project}", "[0-9]*");
  const isHidden = folders.some((folder) => isWithin(pattern, folder));
  const own = pattern.replaceAll("{project}", String(projectId));
  return ["--others", glob, own, isHidden ? "hidden" : ""];
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
