import { join } from "node:path";
import { giveAway, type Grounds, makePassage } from "../process/isolation.ts";

/** The file of the host keys that a project's runs have seen, made when missing. */
export async function knownHostsFile(
  { dataDir, isolation }: Grounds,
  projectId: number,
): Promise<string> {
  const directory = join(dataDir, "known_hosts");
  await makePassage(isolation, directory);
  const file = join(await Deno.realPath(directory), String(projectId));
  (await Deno.open(file, { append: true, create: true, mode: 0o600 })).close();
  await giveAway(isolation, file);
  return file;
}

const fileOf = (dataDir: string, projectId: number) =>
  join(dataDir, "known_hosts", String(projectId));

/** A host's key is pinned when it is first seen; another one later is refused. */
export const sshOptions = (knownHosts: string): string[] => [
  // ssh splits the value at spaces.
  `UserKnownHostsFile="${knownHosts}"`,
  "GlobalKnownHostsFile=/dev/null",
  "StrictHostKeyChecking=accept-new",
  "HashKnownHosts=no",
];

/** One pinned key, as ssh wrote it down. */
interface PinnedKey {
  /** "name" or "[name]:port"; several where ssh took them for one host. */
  hosts: string[];
  type: string;
  /** The public key in base64. */
  key: string;
  line: string;
}

/** The keys that a project's runs have pinned, in the order in which they were seen. */
export async function readPinnedKeys(dataDir: string, projectId: number): Promise<PinnedKey[]> {
  const text = await readIfThere(fileOf(dataDir, projectId));
  return text.split("\n").filter(Boolean).map((line) => {
    const [hosts = "", type = "", key = ""] = line.split(" ");
    return { hosts: hosts.split(","), type, key, line };
  });
}

/** Forgets the pinned keys of `host`, which then is new again. False when it had none. */
export async function forgetHost(
  dataDir: string,
  projectId: number,
  host: string,
): Promise<boolean> {
  const pinned = await readPinnedKeys(dataDir, projectId);
  const kept = pinned.filter(({ hosts }) => !hosts.includes(host));
  if (kept.length === pinned.length) return false;
  const file = fileOf(dataDir, projectId);
  const { uid, gid } = await Deno.stat(file);
  // Put into place when it is complete: a run that starts now must not miss what is kept.
  const made = `${file}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(made, kept.map(({ line }) => `${line}\n`).join(""), { mode: 0o600 });
  await Deno.chown(made, uid, gid);
  await Deno.rename(made, file);
  return true;
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
