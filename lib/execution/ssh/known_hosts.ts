import { join } from "node:path";
import { readPlainFile } from "../process/files.ts";
import type { TaskDirectory } from "../process/task_directory.ts";
import {
  chownToTask,
  createTraversableDir,
  existingDir,
  type SandboxSettings,
} from "../process/isolation.ts";

/** Returns the file of the host keys that a project's runs have seen, and creates it if missing. */
export async function knownHostsFile(
  { dataDir, isolation }: SandboxSettings,
  projectId: number,
): Promise<string> {
  const path = join(dataDir, "known_hosts");
  const directory = await existingDir(path, () => createTraversableDir(isolation, path));
  const file = join(directory, String(projectId));
  (await Deno.open(file, { append: true, create: true, mode: 0o600 })).close();
  await chownToTask(isolation, file);
  return file;
}

const fileOf = (dataDir: string, projectId: number) =>
  join(dataDir, "known_hosts", String(projectId));

/** Writes the lines of a plan's host authorities to a file of the run; null if there are none. */
export const writeHostAuthorities = async (
  directory: TaskDirectory,
  name: string,
  lines: string[] = [],
): Promise<string | null> =>
  lines.length > 0 ? await directory.write(name, lines.map((line) => `${line}\n`).join("")) : null;

/**
 * Options that pin a host's key when it is first seen, and refuse another one later. Hosts with a
 * certificate of one of the authorities are not pinned.
 */
export const sshOptions = (knownHosts: string, authorities: string | null): string[] => [
  // ssh splits the value at spaces, and adds new keys to the first file.
  `UserKnownHostsFile="${knownHosts}"${authorities ? ` "${authorities}"` : ""}`,
  "GlobalKnownHostsFile=/dev/null",
  "StrictHostKeyChecking=accept-new",
  "HashKnownHosts=no",
];

/** One pinned key, as ssh recorded it. */
interface PinnedKey {
  /** "name" or "[name]:port". There are several if ssh took them for one host. */
  hosts: string[];
  type: string;
  /** The public key in base64. */
  key: string;
  line: string;
}

/** Returns the keys that a project's runs have pinned, oldest first. */
export async function readPinnedKeys(dataDir: string, projectId: number): Promise<PinnedKey[]> {
  const text = await readPlainFile(fileOf(dataDir, projectId)) ?? "";
  return text.split("\n").filter(Boolean).map((line) => {
    const [hosts = "", type = "", key = ""] = line.split(" ");
    return { hosts: hosts.split(","), type, key, line };
  });
}

/**
 * Forgets the pinned keys of `host`, so that the host is new again. Returns false if it had none.
 */
export async function forgetHostKeys(
  dataDir: string,
  projectId: number,
  host: string,
): Promise<boolean> {
  const pinned = await readPinnedKeys(dataDir, projectId);
  const kept = pinned.filter(({ hosts }) => !hosts.includes(host));
  if (kept.length === pinned.length) return false;
  const file = fileOf(dataDir, projectId);
  const { uid, gid } = await Deno.stat(file);
  // Renamed only when it is complete, because a run that starts now must not miss the other keys.
  const made = `${file}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(made, kept.map(({ line }) => `${line}\n`).join(""), { mode: 0o600 });
  await Deno.chown(made, uid, gid);
  await Deno.rename(made, file);
  return true;
}
