import type { SecretBox } from "../../access/secret_box.ts";
import { describeError, type Log } from "../../base/log.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import { prepareRuns } from "../../execution/prepare_runs.ts";
import { recoverLeftovers } from "../../execution/recover.ts";
import { createLeaseStore } from "../../execution/sources/lease_store.ts";
import { revokeLeftOver } from "../../execution/sources/leases.ts";
import type { ServerSettings } from "./read_settings.ts";

/**
 * Removes what runs of a server that was killed have left, and prepares this one for its own.
 * Throws ConfigError if runs cannot be isolated as the settings say.
 */
export async function openRunEnvironment(
  { env, config }: Pick<ServerSettings, "env" | "config">,
  secrets: SecretBox,
  log: Log,
): Promise<{ environment: RunEnvironment; ansibleVersion: string | null }> {
  await recoverLeftovers(
    config.dataDir,
    (error) => log("error", "leftovers_kept", describeError(error)),
  );
  const { environment: prepared, ansible } = await prepareRuns(config, env, log);
  const environment = { ...prepared, leases: createLeaseStore(config.dataDir, secrets) };
  const leaseKept = (error: unknown) => log("warn", "lease_kept", describeError(error));
  revokeLeftOver(environment, leaseKept).catch(leaseKept);
  return { environment, ansibleVersion: ansible?.version ?? null };
}
