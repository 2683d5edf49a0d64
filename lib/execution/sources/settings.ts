import type { Secret } from "../../base/secret.ts";
import { type Network, parseNetwork } from "../../base/network.ts";
import { ConfigError, type Environment } from "../../base/settings/settings.ts";

/** Settings of a server or a runner for reading secrets that are stored elsewhere. */
export interface SourceSettings {
  /** Folders whose files may be read. `{project}` in a path stands for the project's id. */
  folders: readonly string[];
  /** The program that prints secrets; null for none. */
  command: string | null;
  /** Returns a variable of the process. Only those that `isValueName` allows are read. */
  value(name: string): string | undefined;
  /** Private networks of storages; null if all may be reached, as from a runner. */
  networks: readonly Network[] | null;
  /** The own token of a runner, and the only Vault that gets it. */
  vaultToken?: { origin: string; token: Secret };
}

/** Whether a variable is one of those that hold values. All others are settings. */
export const isValueName = (name: string): boolean => /^CALLBOARD_VALUE_\w+$/.test(name);

/** The settings of a process that reads nothing itself. Tests begin with them. */
export const noSources: SourceSettings = {
  folders: [],
  command: null,
  value: () => undefined,
  networks: [],
};

/** Reads the variables. Throws ConfigError that names the invalid one. */
export function readSourceSettings(env: Environment): SourceSettings {
  const parts = (name: string) => env.get(name)?.split(",").map((part) => part.trim()) ?? [];
  const folders = parts("CALLBOARD_SECRET_FILES").filter(Boolean);
  if (folders.some((folder) => !folder.startsWith("/"))) {
    throw new ConfigError("CALLBOARD_SECRET_FILES must list absolute paths of folders");
  }
  const command = env.get("CALLBOARD_SECRET_COMMAND")?.trim() || null;
  if (command && !command.startsWith("/")) {
    throw new ConfigError("CALLBOARD_SECRET_COMMAND must be the absolute path of a program");
  }
  return {
    folders,
    command,
    value: (name) => isValueName(name) ? env.get(name) : undefined,
    networks: parts("CALLBOARD_SECRET_NETWORKS").filter(Boolean).map(networkOf),
  };
}

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network) return network;
  throw new ConfigError("CALLBOARD_SECRET_NETWORKS must list networks such as 10.1.0.0/16");
}
