import type { Cron } from "croner";
import { isLocked } from "../../base/machine/data_lock.ts";
import { isShared } from "../../base/settings/config.ts";
import { withoutCredentials } from "../../base/settings/known_settings.ts";
import { operatorCommand } from "../../base/machine/operator_command.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { whyOf } from "../../base/why.ts";
import { isProofOf } from "../../access/same_key.ts";
import { decodeKey } from "../../access/secret_keys.ts";
import { rowKeys } from "../../store/keys.ts";
import { parseAutomaticBackups } from "../../maintenance/server_backup/automatic_settings.ts";
import { nameOfKey, type RotationRow } from "../../maintenance/secret_key/rotation.ts";
import {
  countLeft,
  isOverdue,
  latestBackup,
} from "../../maintenance/server_backup/backup_files.ts";
import { findLoss } from "../../maintenance/open_data.ts";
import type { StoreIdentity } from "../../maintenance/store_identity.ts";
import { findUsableCopy } from "../../maintenance/upgrade_copies.ts";
import { LaterStoreError, stepsFrom } from "../../maintenance/migrations.ts";
import { readLastBackup } from "../../maintenance/server_backup/last_backup.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, healthProblem, problem } from "./finding.ts";

/** Longest time between two backups without a plan. */
const AGE_MS_MAX = 7 * 24 * 60 * 60_000;

/** Checks that the store can be read, its version, its secret key, and whether it is in use. */
export async function checkStore(checkUp: CheckUp): Promise<Finding[]> {
  const { config, readRow, instance } = checkUp;
  const shared = isShared(config);
  const empty = shared || instance !== null ? null : await findEmpty(config.kv);
  if (empty) {
    const lost = await findLoss(config, empty);
    return lost && !config.newStore
      ? [{ level: "failed", found: lost, next: null }]
      : [fine("doctor.store.new")];
  }
  let version;
  try {
    version = await readRow(rowKeys.storeVersion()) as number | null;
  } catch (error) {
    const key = shared ? "away" : "unreadable";
    const why = messageOf(error, config.kv);
    const command = operatorCommand("restore --from FILE");
    return [problem("failed", `doctor.store.${key}`, { why, command })];
  }
  const inUse = instance !== null || await isLocked(config.dataDir) ? "in_use" : "free";
  return [
    await findVersion(checkUp, version),
    ...await findKey(checkUp),
    ...config.newStore ? [problem("warning", "doctor.store.new_allowed")] : [],
    ...shared ? [] : [fine(`doctor.store.${inUse}`)],
  ];
}

/** Looks at the store's file without opening it. */
const findEmpty = (path: string): Promise<"missing" | "no_bytes" | null> =>
  Deno.stat(path).then(
    ({ isFile, size }) => isFile && size === 0 ? "no_bytes" : null,
    (error) => error instanceof Deno.errors.NotFound ? "missing" : null,
  );

/** Errors of requests may contain the whole address. */
const messageOf = (error: unknown, store: string): string =>
  error instanceof ConfigError
    ? error.message
    : whyOf(error).text.replaceAll(store, withoutCredentials(store));

async function findVersion(checkUp: CheckUp, stored: number | null): Promise<Finding> {
  try {
    const { version, steps } = stepsFrom(stored);
    if (steps === 0) return fine("doctor.store.current", { version: String(version) });
    return problem("ok", "doctor.store.older", { version: String(version) });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (!(error instanceof LaterStoreError)) {
      return { level: "failed", found: error.message, next: null };
    }
    const copy = await findUsableCopy(checkUp.config, await readIdentity(checkUp), error.version);
    const params = { version: String(stored) };
    if (!copy) return problem("failed", "doctor.store.newer", params);
    const command = operatorCommand(`restore --upgrade-copy ${copy}`);
    return problem("failed", "doctor.store.newer_with_copy", { ...params, command });
  }
}

async function findKey(checkUp: CheckUp): Promise<Finding[]> {
  const { secrets, readRow } = checkUp;
  const proof = await readRow(rowKeys.secretKeyProof());
  if (!(proof instanceof Uint8Array)) return [];
  if (secrets && await isProofOf(secrets, proof)) return findRotation(checkUp);
  const command = operatorCommand("secret-key accept");
  return [
    problem("failed", secrets ? "doctor.store.other_key" : "doctor.store.no_key", { command }),
  ];
}

/** Finds out whether the secret key is being changed, and whether the previous one is needed. */
async function findRotation({ env, readRow }: CheckUp): Promise<Finding[]> {
  const row = await readRow(rowKeys.secretKeyRotation()) as RotationRow | null;
  if (!row) return [];
  const { pass, rows, resealed, finished } = row;
  if (!finished) return [fine("doctor.store.key_changing", { pass, rows, done: resealed })];
  const setting = "CALLBOARD_SECRET_KEY_PREVIOUS";
  const previous = env.get(setting);
  // Another key is that of a change that has not begun.
  if (!previous || nameOfKey(decodeKey(previous, setting)) !== row.from) return [];
  return [problem("ok", "doctor.store.key_changed", { setting })];
}

/** A shared store is backed up with the tools of its service. */
export async function checkBackups(checkUp: CheckUp): Promise<Finding[]> {
  const { config, clock, env } = checkUp;
  if (isShared(config) || await findEmpty(config.kv)) return [];
  const now = clock.now();
  const automatic = parseAutomaticBackups(env, config);
  if (!automatic) {
    const last = await readLastBackup(config.dataDir);
    return findLatest(last && new Date(last.at), now, null);
  }
  const store = await readIdentity(checkUp).catch(() => null) ?? UNKNOWN;
  const at = await latestBackup(automatic.folder, store, now).catch(() => null);
  const left = await countLeft(automatic.folder, store).catch(() => 0);
  return [
    ...findLatest(at, now, automatic.cron),
    ...left > 0 ? [healthProblem("warning", "backups_left", { count: left })] : [],
  ];
}

/** Stands for a store without an identity: all backups without an id are its own. */
const UNKNOWN: StoreIdentity = { id: "", made: new Date(0).toISOString() };

const readIdentity = async ({ readRow }: CheckUp): Promise<StoreIdentity | null> =>
  await readRow(rowKeys.storeIdentity()) as StoreIdentity | null;

/** Judges the time of the latest backup by the plan of automatic ones, or null without a plan. */
function findLatest(at: Date | null, now: Date, plan: Cron | null): Finding[] {
  const command = operatorCommand("backup --to FILE");
  // A new server with a plan has not reached the first time of its plan.
  if (!at) return plan ? [] : [problem("warning", "doctor.backup.none", { command })];
  if (plan && isOverdue(plan, at, now)) return [healthProblem("failed", "backup")];
  const params = { since: at.toISOString(), command };
  const isOld = !plan && now.getTime() - at.getTime() > AGE_MS_MAX;
  return [
    isOld ? problem("warning", "doctor.backup.old", params) : fine("doctor.backup.fresh", params),
  ];
}
