import { boxOf } from "../../access/secret_keys.ts";
import { type Config, isShared } from "../../base/settings/config.ts";
import { exchange } from "../../http/exchange.ts";
import { inTime } from "../../base/time/in_time.ts";
import { KV_TOKEN } from "../../base/settings/secret_settings.ts";
import { ConfigError, type Environment } from "../../base/settings/settings.ts";
import { ansibleDir } from "../../execution/ansible/installation.ts";
import { noIsolation } from "../../execution/process/isolation.ts";
import { prepareFolders, readIsolation } from "../../execution/process/prepare_isolation.ts";
import { type RunEnvironment, runEnvironment } from "../../execution/run/environment.ts";
import { firstKeys } from "../../store/first_of_each.ts";
import { readFirstKeys, readStoredRow } from "../../store/rows/read_stored_row.ts";
import type { Store } from "../../store/store.ts";
import { createDirectory } from "../../ldap/directory.ts";
import { readAllSettings } from "./all_settings.ts";
import type { CheckUp } from "./check_up.ts";
import { openStore } from "../../store/file/open_store.ts";

const ANSWER_MS_MAX = 5_000;

interface Options {
  /** Variables of the process, and the names of all of them. */
  variables: Environment;
  names: readonly string[];
  sendTo: string | null;
}

/**
 * Returns the check-up of a server, which may be running in another process. Settings that are not
 * usable become findings, and count as not set for the other checks.
 */
export async function openLocalCheckUp(
  { variables, names, sendTo }: Options,
): Promise<CheckUp & AsyncDisposable> {
  const { config, providers, ldap, keys, env, findings } = await readAllSettings({
    variables,
    names,
  });
  const environment = await openRuns(config, env);
  const rows = rowReader(config, env.get(KV_TOKEN));
  return {
    config,
    clock: { now: () => new Date(), ticks: () => performance.now() },
    env,
    settingsFindings: findings,
    environment,
    secrets: keys && await boxOf(keys),
    providers,
    directory: ldap && createDirectory(ldap),
    readRow: rows.read,
    readFirstKeys: rows.firstKeys,
    instance: null,
    sendTo,
    async [Symbol.asyncDispose]() {
      rows.close();
      await Deno.remove(environment.dataDir, { recursive: true });
    },
  };
}

/**
 * Returns the environment of runs with a temporary data folder. In the server's own, files of
 * another account would prevent a start, and the record of Ansible would be for another PATH.
 */
async function openRuns(config: Config, env: Environment): Promise<RunEnvironment> {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_doctor_" });
  await Deno.symlink(ansibleDir(config.dataDir), ansibleDir(dataDir));
  const prepare = async () => {
    const isolation = await readIsolation({ ...config, dataDir });
    await prepareFolders(dataDir, isolation);
    return isolation;
  };
  // The check of isolation says what is wrong.
  const isolation = await prepare().catch(() => noIsolation);
  return { ...runEnvironment(config, isolation, env), dataDir };
}

/** Reads rows of a file without opening it for writing, or of a KV Connect service. */
function rowReader(config: Config, token: string | undefined) {
  if (!isShared(config)) {
    return {
      read: (key: Deno.KvKey) => Promise.resolve(readStoredRow(config.kv, key)),
      firstKeys: (prefix: Deno.KvKey) => Promise.resolve(readFirstKeys(config.kv, prefix)),
      close() {},
    };
  }
  let kv: Promise<Store> | null = null;
  const open = async () => {
    await askService(config.kv, token);
    Deno.env.set(KV_TOKEN, token!);
    return await openStore(config.kv);
  };
  return {
    async read(key: Deno.KvKey) {
      return (await inTime((await (kv ??= open())).get(key))).value;
    },
    async firstKeys(prefix: Deno.KvKey) {
      return await inTime(firstKeys(await (kv ??= open()), prefix));
    },
    close: () => void kv?.then((kv) => kv.close(), () => {}),
  };
}

/**
 * Sends the first request of KV Connect, because Deno would repeat it for as long as it fails.
 * Throws if the service does not accept it.
 */
async function askService(url: string, token: string | undefined): Promise<void> {
  if (!token) throw new ConfigError(`${KV_TOKEN} is not set`);
  const status = await exchange(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ supportedVersions: [2, 3] }),
    limitMs: ANSWER_MS_MAX,
    redirect: "follow",
  }, ({ status }) => status);
  if (status === 401 || status === 403) throw new ConfigError(`it does not accept ${KV_TOKEN}`);
  if (status !== 200) throw new ConfigError(`it answered ${status}, so it may be another service`);
}
