import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { IsolationMode } from "../../base/config.ts";

/** Who runs tasks, where that is another account than the server's. */
export interface TaskAccount {
  name: string;
  uid: number;
  gid: number;
}

/** How the processes of runs are kept from the server: see docs/decisions/0017. */
export interface Isolation {
  mode: IsolationMode;
  /** Set in the mode `user` only. */
  account: TaskAccount | null;
  /** Files outside the data folder that runs must not see: the store's. */
  hidden: string[];
}

/** What all runs of a server know of where they are. */
export interface Grounds {
  dataDir: string;
  isolation: Isolation;
}

/** What is put around one run's processes. */
export interface Enclosure {
  /** Before the supervisor of a command. */
  outside: string[];
  /** Between the supervisor and the command. */
  inside: string[];
  account: TaskAccount | null;
}

export const noIsolation: Isolation = { mode: "none", account: null, hidden: [] };
export const noEnclosure: Enclosure = { outside: [], inside: [], account: null };

/** Callboard's own folder: whoever may change it decides what the server does next. */
const CODE = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** The folders of the data folder that have a part for each project, which its runs may change. */
const PARTS = ["repositories", "galaxy", "homes", "known_hosts"];
/** What all runs may read: Ansible itself, and the demo's repository. */
const READABLE = ["ansible", "demo.git"];

/** With these, root gets out again: by unmounting, by another process, by a disk's device. */
const DROPPED = ["SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "SYS_RAWIO", "MKNOD", "DAC_READ_SEARCH"];

/** One run's own part of the data folder. */
interface Part {
  projectId: number;
  /** The task's directory; `sockets` may lie in it, or be a name for its folder `s`. */
  directory: string;
  sockets: string;
}

/** What keeps the processes of one run to their part. */
export async function encloseRun(
  { dataDir, isolation: { mode, account, hidden } }: Grounds,
  part: Part,
): Promise<Enclosure> {
  switch (mode) {
    case "none":
      return noEnclosure;
    case "user":
      return { outside: [], inside: becoming(account!), account };
    case "bwrap":
      return { ...noEnclosure, outside: sandbox(await Deno.realPath(dataDir), hidden, part) };
  }
}

/** No capability goes along either, when the server has some instead of being root. */
const becoming = ({ uid, gid }: TaskAccount): string[] => [
  "setpriv",
  `--reuid=${uid}`,
  `--regid=${gid}`,
  "--init-groups",
  "--inh-caps=-all",
  "--ambient-caps=-all",
  "--",
];

function sandbox(data: string, hidden: string[], part: Part): string[] {
  const { projectId, directory, sockets } = part;
  const own = PARTS.map((folder) => join(data, folder, String(projectId)));
  const same = (option: string, paths: string[]) => paths.flatMap((path) => [option, path, path]);
  return [
    "bwrap",
    ...["--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...same("--ro-bind", [CODE]),
    ...["--tmpfs", data, ...same("--bind", [directory]), ...same("--bind-try", own)],
    ...same("--ro-bind-try", READABLE.map((folder) => join(data, folder))),
    ...["--remount-ro", data],
    ...(sockets.startsWith(`${directory}/`) ? [] : ["--bind", join(directory, "s"), sockets]),
    ...hidden.flatMap((file) => ["--ro-bind", "/dev/null", file]),
    ...DROPPED.flatMap((name) => ["--cap-drop", `CAP_${name}`]),
    ...["--unshare-pid", "--die-with-parent", "--"],
  ];
}

/** Makes a folder that leads to what runs own: they may pass through it, and not look around. */
export async function makePassage({ account }: Isolation, path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  if (!account) return;
  await Deno.chown(path, null, account.gid);
  await Deno.chmod(path, 0o710);
}

/** Makes a folder of the runs' own, which nobody else may look into; its parent is there. */
export async function makeOwn(isolation: Isolation, path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  await giveAway(isolation, path);
}

/** Makes a file or folder the runs' own. */
export async function giveAway({ account }: Isolation, path: string): Promise<void> {
  if (account) await Deno.chown(path, account.uid, account.gid);
}

/** The same with all that is in a folder, which nobody else has come into so far. */
export async function giveTreeAway(isolation: Isolation, path: string): Promise<void> {
  if (!isolation.account) return;
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory) await giveTreeAway(isolation, join(path, name));
    else await giveAway(isolation, join(path, name));
  }
  await giveAway(isolation, path);
}
