import { ConfigError } from "../base/settings/settings.ts";
import type { Log } from "../base/log.ts";
import { type AnsibleInstallation, findAnsible } from "./ansible/installation.ts";
import {
  type IsolationSettings,
  prepareFolders,
  readIsolation,
  restrictStore,
  tryIsolation,
} from "./process/prepare_isolation.ts";
import { type RunEnvironment, runEnvironment, type RunLimits } from "./run/environment.ts";

/** The settings of a server, or of a runner, that its runs depend on. */
type RunSettings = IsolationSettings & RunLimits;

interface PreparedRuns {
  environment: RunEnvironment;
  /** Null if no installation works in runs. */
  ansible: AnsibleInstallation | null;
}

/**
 * Tests Ansible and the isolation in the same way as runs use them, and logs the result. Called at
 * the start, while nothing runs. Throws ConfigError when tasks cannot be isolated as configured.
 */
export async function prepareRuns(
  config: RunSettings,
  env: Pick<typeof Deno.env, "get">,
  log: Log,
): Promise<PreparedRuns> {
  const isolation = await readIsolation(config);
  await restrictStore(config);
  await prepareFolders(config.dataDir, isolation);
  const environment = runEnvironment(config, isolation, env);
  const gap = await tryIsolation(environment, config);
  if (gap) throw new ConfigError(gap);
  log("info", "task_isolation", { mode: isolation.mode, ...NOTES[isolation.mode] });
  const ansible = await findAnsible(
    environment,
    (unusable) => log("warn", "ansible_unusable", { ...unusable }),
  );
  if (!ansible) return { environment, ansible };
  const { playbook, galaxy, version } = ansible;
  log("info", "ansible_found", { playbook, version: version.split("\n")[0] });
  return { environment: { ...environment, ansible: { playbook, galaxy } }, ansible };
}

const NOTES = {
  none: {
    note: "tasks can access everything that the server's account can: see docs/isolation.md",
  },
  user: { note: "all tasks run as one account, and can access each other" },
  bwrap: {
    note:
      "tasks cannot use sudo or setuid programs; if the server runs as root, this is no barrier",
  },
};
