import { dirname, join } from "node:path";
import type { AgentKey } from "../../ssh/agent.ts";
import { shellQuoted } from "../../ssh/command.ts";
import { sshOptions } from "../../ssh/known_hosts.ts";
import type { RunContext } from "../../run/context.ts";
import type { AnsibleFiles } from "../files.ts";
import type { HostKey, InventoryPlan, JumpHost } from "../plan.ts";

/**
 * Returns the keys for the agent: those that are offered to hosts, in order, then those for jump
 * hosts.
 */
export function agentKeys({ userKey, sshKeys }: InventoryPlan): AgentKey[] {
  if (!sshKeys) return userKey.type === "ssh" ? [{ name: "", key: userKey }] : [];
  return [...sshKeys, ...jumpsOf(sshKeys).flatMap(({ key }) => key ?? [])];
}

/** Whether hosts differ in the keys that they are offered, or in the way to reach them. */
export const hasKeyRules = ({ sshKeys = [] }: Pick<InventoryPlan, "sshKeys">): boolean =>
  sshKeys.some(({ hosts, options }) => hosts || options);

const jumpsOf = (sshKeys: HostKey[]): JumpHost[] =>
  sshKeys.flatMap(({ options }) => options?.jump ?? []);

/**
 * Writes the rules for the plugin that gives each host its keys: see vars/callboard_keys.py. Of the
 * agent's keys, `keyFiles` has the paths, in order.
 */
export async function writeKeyRules(
  { directory }: RunContext,
  { userKey, sshKeys = [] }: InventoryPlan,
  { controlPath, knownHosts, hostAuthorities }: AnsibleFiles,
  keyFiles: string[],
): Promise<string> {
  const jumpFiles = keyFiles.slice(sshKeys.length);
  const pinned = sshOptions(knownHosts, hostAuthorities);
  const keys = [];
  for (
    const [n, { key, hosts = null, options: { user, port = null, jump } = {} }] of sshKeys.entries()
  ) {
    const file = keyFiles[n];
    const script = jump && jumpScript(jump, jump.key ? jumpFiles.shift()! : file, pinned);
    keys.push({
      file,
      hosts,
      user: user || key.login,
      port,
      jump: script
        ? {
          program: await directory.writeScript(`jump_${n}`, script),
          control: connectionsBehind(controlPath, n),
        }
        : null,
    });
  }
  const user = userKey.type === "none" ? "" : userKey.login;
  return await directory.write("host_keys.json", JSON.stringify({ user, keys }));
}

/** Connects to `$1`, port `$2`, through a jump host, for ssh's ProxyCommand. */
function jumpScript({ host, port, user }: JumpHost, keyFile: string, pinned: string[]) {
  const options = [
    ...pinned,
    "BatchMode=yes",
    "ConnectTimeout=20",
    "IdentitiesOnly=yes",
    `IdentityFile="${keyFile.replaceAll("%", "%%")}"`,
    ...port ? [`Port=${port}`] : [],
    ...user ? [`User=${user}`] : [],
  ].flatMap((option) => ["-o", option]);
  const words = ["ssh", "-F", "/dev/null", ...options].map(shellQuoted).join(" ");
  return `#!/bin/sh\nexec ${words} -W "[$1]:$2" -- ${shellQuoted(host)}\n`;
}

/** Names that are as short as that of the folder for direct connections. */
const FOLDERS = "defghijklmnopqrstuvwxyz";

/**
 * Folder for the connections that ssh holds open behind a jump host: the same address may be
 * another host there. Null if there are too many.
 */
const connectionsBehind = (controlPath: string, n: number): string | null =>
  n < FOLDERS.length ? join(dirname(controlPath), FOLDERS[n]) : null;
