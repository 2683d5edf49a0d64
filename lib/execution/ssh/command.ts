import type { SandboxSettings } from "../process/isolation.ts";
import { knownHostsFile, sshOptions } from "./known_hosts.ts";

/** Returns the shell command with which git calls ssh for a project's runs, without a key. */
export async function sshCommand(
  sandboxSettings: SandboxSettings,
  projectId: number,
  authorities: string | null,
): Promise<string> {
  const all = [
    ...sshOptions(await knownHostsFile(sandboxSettings, projectId), authorities),
    "ConnectTimeout=20",
    // Keys come from the run's agent, never from the home of the server's account.
    "IdentityFile=none",
  ];
  return ["ssh", "-F", "/dev/null", ...all.flatMap((option) => ["-o", option])].map(shellQuoted)
    .join(
      " ",
    );
}

/** Returns a word for a shell's command line. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
