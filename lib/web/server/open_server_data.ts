import { openSecretKeys } from "../../access/same_key.ts";
import type { SecretBox } from "../../access/secret_box.ts";
import type { SecretKeys } from "../../access/secret_keys.ts";
import type { Clock } from "../../base/time/clock.ts";
import { lockDataFolder } from "../../base/machine/data_lock.ts";
import type { Log } from "../../base/log.ts";
import { openServiceManager } from "../../base/machine/service_manager.ts";
import { openData } from "../../maintenance/open_data.ts";
import { requirePreviousKey } from "../../maintenance/secret_key/rotation.ts";
import {
  type AutomaticBackups,
  lockBackupFolder,
  readAutomaticBackups,
} from "../../maintenance/server_backup/automatic_settings.ts";
import type { Metrics } from "../../monitoring/metrics/metrics.ts";
import { watchCalls } from "../../monitoring/metrics/watch_calls.ts";
import { openStore } from "../../store/file/open_store.ts";
import type { Store } from "../../store/store.ts";
import { openCertificate } from "./certificate.ts";
import type { ServerSettings } from "./read_settings.ts";
import { upgradeStore } from "./upgrade.ts";

interface OpenedData {
  kv: Store;
  secrets: SecretBox;
  secretKeys: SecretKeys;
  backups: AutomaticBackups | null;
  manager: ReturnType<typeof openServiceManager>;
  certificate: Awaited<ReturnType<typeof openCertificate>> | null;
  close(): void;
}

/**
 * Opens what the server owns alone: its folders, its certificate and its store, which is upgraded.
 * Throws ConfigError if one of them cannot be used.
 */
export async function openServerData(
  { env, config }: Pick<ServerSettings, "env" | "config">,
  { clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics },
): Promise<OpenedData> {
  await openData(config);
  const manager = openServiceManager(config.dataDir, log);
  const certificate = config.tls && await openCertificate(config.tls, log);
  const backups = await readAutomaticBackups(env, config);
  const lock = await lockDataFolder(config.dataDir);
  const backupLock = backups && await lockBackupFolder(backups.folder);
  const kv = await openStore(config.kv, config.metricsToken ? watchCalls(metrics) : undefined);
  const { keys: secretKeys, secrets } = await openSecretKeys(kv, env, config.dataDir);
  await requirePreviousKey(kv, secretKeys);
  await upgradeStore({ kv, clock, secrets, config, certificate, manager, log });
  return {
    ...{ kv, secrets, secretKeys, backups, manager, certificate },
    close() {
      kv.close();
      lock.close();
      backupLock?.close();
    },
  };
}
