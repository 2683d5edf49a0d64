import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Config, readConfig } from "../lib/base/settings/config.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { readEnvironment } from "../lib/base/settings/secret_settings.ts";
import { ConfigError, type Environment } from "../lib/base/settings/settings.ts";
import { goBack } from "../lib/maintenance/go_back.ts";
import { backupsIn } from "../lib/maintenance/server_backup/backup_files.ts";
import { readBucket } from "../lib/maintenance/server_backup/bucket_settings.ts";
import { type Bucket, fetchObject, listObjects } from "../lib/maintenance/server_backup/s3.ts";
import { bucketAddress } from "../lib/maintenance/server_backup/upload.ts";
import { verifyBackup } from "../lib/maintenance/server_backup/verify.ts";
import { restoreServer } from "../lib/maintenance/server_backup/restore.ts";
import { say } from "./console.ts";
import { readPassphrase } from "./passphrase.ts";
import { runScript } from "./run_script.ts";

const COMMAND = operatorCommand("restore");
const USAGE = `Usage: ${COMMAND} --from FILE
       ${COMMAND} --check FILE
       ${COMMAND} --list
       ${COMMAND} --fetch NAME --to FILE
       ${COMMAND} --upgrade-copy FILE`;

/**
 * Restores a backup of a whole server into an empty data folder, checks a backup, or goes back to
 * the copy of the store from before an upgrade.
 */
async function main(args: string[]): Promise<void> {
  const file = { type: "string" } as const;
  const options = {
    ...{ from: file, check: file, "upgrade-copy": file, fetch: file, to: file },
    list: { type: "boolean" },
  } as const;
  const { from, check, "upgrade-copy": copy, list, fetch, to } =
    parseArgs({ args, options }).values;
  const asked = [from, check, copy, list, fetch].filter(Boolean).length;
  if (asked !== 1 || Boolean(fetch) !== Boolean(to)) throw new ConfigError(USAGE);
  const env = await readEnvironment();
  if (list) return await printStored(getBucket(env));
  if (fetch) return await fetchBackup(getBucket(env), fetch, pathOf(to!));
  const config = readConfig(env, "");
  Deno.umask(0o077);
  if (copy) return await restoreCopy(config, pathOf(copy));
  const passphrase = await readPassphrase(env, { isNew: false });
  if (check) return await printContents(passphrase, pathOf(check));
  const secretKeySetting = env.get("CALLBOARD_SECRET_KEY");
  await restoreServer({ config, secretKeySetting, passphrase, from: pathOf(from!) });
  say(`Restored into ${config.dataDir}. You can start the server now.`);
}

/** Returns the bucket that the settings name. */
function getBucket(env: Environment): Bucket {
  const bucket = readBucket(env);
  if (!bucket) {
    throw new ConfigError(
      "No bucket for backups is set. Set CALLBOARD_BACKUP_BUCKET_ENDPOINT, _NAME, _ACCESS_KEY " +
        "and _SECRET_KEY, or name a file: --from FILE",
    );
  }
  return bucket;
}

async function printStored(bucket: Bucket): Promise<void> {
  const backups = backupsIn(await listObjects(bucket));
  for (const { name, size } of backups) say(`${name}  ${size.toLocaleString("en")} bytes`);
  if (backups.length === 0) say(`${bucketAddress(bucket)} has no backups.`);
}

async function fetchBackup(bucket: Bucket, name: string, to: string): Promise<void> {
  if (await Deno.lstat(to).then(() => true, () => false)) {
    throw new ConfigError(`${to} exists already`);
  }
  Deno.umask(0o077);
  await fetchObject(bucket, name, to);
  say(`Wrote ${to}. Check it with: ${COMMAND} --check ${to}`);
}

async function printContents(passphrase: string, from: string): Promise<void> {
  const { rows, files, manifest: { store, version, at } } = await verifyBackup({
    passphrase,
    from,
  });
  say(`${from} is complete and can be restored.`);
  say(`Callboard ${version} wrote it at ${at}, of the store ${store}.`);
  say(
    `It contains the secret key, ${rows.toLocaleString("en")} rows of the database, and ` +
      `${files.toLocaleString("en")} other files.`,
  );
}

async function restoreCopy(config: Config, copy: string): Promise<void> {
  const { replaced, writer } = await goBack({ config, copy });
  const version = writer === null ? "the version of Callboard that" : `Callboard ${writer}, which`;
  say(`The store is now the copy ${copy}. Start ${version} wrote it.`);
  if (replaced) say(`The store from before is ${replaced}. Delete it when you no longer need it.`);
}

/** A Deno task runs in the project's folder. INIT_CWD is the folder of the person who called it. */
const pathOf = (file: string): string => resolve(Deno.env.get("INIT_CWD") ?? ".", file);

if (import.meta.main) await runScript(() => main(Deno.args));
