import { join } from "node:path";
import { makePrivate } from "./secret_files.ts";

/** The file of the host keys that a project's runs have seen, made when missing. */
export async function knownHostsFile(dataDir: string, projectId: number): Promise<string> {
  const directory = join(dataDir, "known_hosts");
  await makePrivate(directory);
  return join(await Deno.realPath(directory), String(projectId));
}

/** A host's key is pinned when it is first seen; another one later is refused. */
export const sshOptions = (knownHosts: string): string[] => [
  // ssh splits the value at spaces.
  `UserKnownHostsFile="${knownHosts}"`,
  "GlobalKnownHostsFile=/dev/null",
  "StrictHostKeyChecking=accept-new",
  "HashKnownHosts=no",
];

/** Forgets the pinned keys of `host` ("name" or "[name]:port"), which then is new again. */
export async function forgetHost(dataDir: string, projectId: number, host: string): Promise<void> {
  const file = await knownHostsFile(dataDir, projectId);
  const text = await Deno.readTextFile(file).catch(() => "");
  const kept = text.split("\n").filter((line) => !line.split(" ")[0]!.split(",").includes(host));
  await Deno.writeTextFile(file, kept.join("\n"), { mode: 0o600 });
}
