/**
 * The server changes its secret key while it runs, because people rotate keys on a schedule, after
 * someone has left, or after a backup has leaked. A server has up to three keys. It seals with the
 * current one and opens with all of them. Sealed values have no mark of their key: AES-GCM says
 * whether a key fits, in microseconds.
 *
 * All rows are read, except output and results, because a list of fields with secrets could miss
 * one that is added later. Rows are stored with the position. A row that someone changes in between
 * fails the commit and is read again. The store is read until a pass finds nothing, and only then
 * is the previous key dropped. Rows that expire within the hour are left to expire. Sealed cookies
 * are outside of the store: a browser counts as unknown once. Earlier backups contain the previous
 * key.
 *
 * A key for each value, encrypted with the server's key, was rejected: someone with the old key and
 * an old copy of the store could read the values of today.
 */

import { Buffer } from "node:buffer";
import type { Deps } from "../../access/deps.ts";
import { newProof } from "../../access/same_key.ts";
import { createSecretBox } from "../../access/secret_box.ts";
import { previousKeyFile, type SecretKeys } from "../../access/secret_keys.ts";
import { sleep } from "../../base/time/pause.ts";
import { progressLog } from "../../base/progress_log.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { digest } from "../../base/version.ts";
import { periodicKind } from "../../jobs/kind.ts";
import { type AnyWorker, type Job, worker } from "../../jobs/worker.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { type Boxes, isShortLived, reseal, rowsAfter } from "./reseal.ts";

type RotationDeps = Pick<Deps, "kv" | "clock" | "log" | "config">;

/** Progress of the change from one secret key to another. */
export interface RotationRow {
  /** Digests of the keys. */
  from: string;
  to: string;
  /** The store is read again and again until nothing in it needs the previous key. */
  pass: number;
  /** Last row that this pass has read. */
  after: Deno.KvKey | null;
  /** Number of rows that this pass has read. */
  rows: number;
  /** Number of those that need the previous key. */
  found: number;
  /** Number of those that expire soon, and are left as they are. */
  expiring: number;
  /** Rows that were sealed again, in all passes. */
  resealed: number;
  finished: boolean;
}

/** Rows that are read between two commits. */
const ROWS_PER_COMMIT = 500;
/** Rows that are stored in one commit, which takes ten checks and 800 KiB. */
const STORED_PER_COMMIT = 9;
/** Time until values that expire are looked for again. */
const REST_MS = 10 * 60_000;
/** Passes over a large store take hours. */
const PASSES_MS_MAX = 12 * 3_600_000;

/** Returns what the store remembers of a key. */
export const nameOfKey = (key: Uint8Array): string =>
  digest(`secret key ${Buffer.from(key).toString("base64")}`, 16);

/**
 * Throws ConfigError if the change of the secret key has not finished and the server does not have
 * the previous key, which some secrets of the store need.
 */
export async function requirePreviousKey(kv: Store, keys: SecretKeys): Promise<void> {
  const row = await readRotation(kv);
  if (!row || row.finished) return;
  const names = [keys.current, keys.previous, keys.next].map((key) => key && nameOfKey(key));
  if (names.includes(row.from)) return;
  throw new ConfigError(
    "The change of the secret key has not finished, so some secrets need the previous key. Put " +
      "secret.key.previous back, or set CALLBOARD_SECRET_KEY_PREVIOUS.",
  );
}

/** Returns the progress of the latest change of the key; null if there was none. */
export const readRotation = async (kv: Store): Promise<RotationRow | null> =>
  (await kv.get<RotationRow>(rowKeys.secretKeyRotation())).value;

/**
 * Returns the worker that seals everything that the previous key has sealed with the current key,
 * while the server runs. It has finished when nothing in the store needs the previous key.
 */
export const rotationWorker = (
  current: Uint8Array,
  previous: Uint8Array,
): AnyWorker<RotationDeps> =>
  worker<Record<never, never>, RotationDeps>({
    kind: periodicKind("secret_key"),
    everyMs: REST_MS,
    attempts: Infinity,
    waitsMs: [5_000, 60_000],
    limitMs: PASSES_MS_MAX,
    parallel: 1,
    run: (deps, job) => rotate(deps, { current, previous }, job),
  });

/** Works until it has finished, or until only values are left that expire soon. */
async function rotate(
  deps: RotationDeps,
  { current, previous }: { current: Uint8Array; previous: Uint8Array },
  job: Job<object>,
): Promise<void> {
  const { kv, log } = deps;
  const [from, to] = [nameOfKey(previous), nameOfKey(current)];
  const boxes = {
    from: await createSecretBox(previous),
    to: await createSecretBox(current),
  };
  const logProgress = progressLog(log, "secret_key_rotating");
  for (;;) {
    job.signal.throwIfAborted();
    const entry = await kv.get<RotationRow>(rowKeys.secretKeyRotation());
    const { value: row } = entry;
    if (row?.from !== from || row.to !== to) {
      // From now on, servers that have only one of the keys cannot start.
      const begun: RotationRow = { ...NEW, from, to };
      await kv.atomic().check(entry).set(entry.key, begun)
        .set(rowKeys.secretKeyProof(), await newProof(boxes.to)).commit();
      continue;
    }
    if (row.finished) {
      await removePreviousKey(deps, row);
      return await transact(kv, job.end);
    }
    for await (const { rests, ...at } of passes(deps, boxes, entry, row)) {
      logProgress({ pass: at.pass, rows: at.rows, resealed: at.resealed });
      if (rests) return;
      job.signal.throwIfAborted();
    }
  }
}

const NEW: Omit<RotationRow, "from" | "to"> = {
  pass: 1,
  after: null,
  rows: 0,
  found: 0,
  expiring: 0,
  resealed: 0,
  finished: false,
};

/**
 * Reads the rows from the progress on, and stores those that need it, a few per commit. Yields the
 * progress after each commit, with `rests` at the end of a pass that has left only values that
 * expire soon. It ends early if someone has changed one of these rows. Then it is begun again from
 * the stored progress.
 */
async function* passes(
  { kv, clock }: RotationDeps,
  boxes: Boxes,
  entry: Deno.KvEntryMaybe<RotationRow>,
  row: RotationRow,
): AsyncGenerator<RotationRow & { rests?: boolean }> {
  let { versionstamp } = entry;
  let [op, stored, since] = [kv.atomic(), 0, performance.now()];
  let read = row;
  const commit = async (progress: RotationRow) => {
    op.check({ key: entry.key, versionstamp }).set(entry.key, progress);
    const committed = await op.commit();
    if (committed.ok) versionstamp = committed.versionstamp;
    // Half of the time is left to others, however fast the disk is.
    await sleep(performance.now() - since);
    [op, stored, since] = [kv.atomic(), 0, performance.now()];
    return committed.ok;
  };
  for await (const next of rowsAfter(kv, row.after)) {
    const resealed = await reseal(kv, boxes, next, clock.now());
    const isLeft = resealed !== null && isShortLived(next);
    const adds = resealed && !isLeft ? resealed.rows : 0;
    if (stored + adds > STORED_PER_COMMIT || read.rows - row.rows >= ROWS_PER_COMMIT) {
      if (!await commit(read)) return;
      yield read;
      row = read;
    }
    if (adds > 0) resealed!.add(op);
    stored += adds;
    read = {
      ...read,
      after: next.key,
      rows: read.rows + 1,
      found: read.found + (resealed ? 1 : 0),
      expiring: read.expiring + (isLeft ? 1 : 0),
      resealed: read.resealed + (adds > 0 ? 1 : 0),
    };
  }
  const end = endOfPass(read);
  if (await commit(end)) yield { ...end, rests: read.found > 0 && read.found === read.expiring };
}

const endOfPass = (row: RotationRow): RotationRow =>
  row.found === 0
    ? { ...row, finished: true }
    : { ...row, pass: row.pass + 1, after: null, rows: 0, found: 0, expiring: 0 };

async function removePreviousKey({ config, log }: RotationDeps, { resealed }: RotationRow) {
  try {
    await Deno.remove(previousKeyFile(config.dataDir));
  } catch (error) {
    // The key is a setting, or was removed before.
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  log("info", "secret_key_rotated", { resealed });
}
