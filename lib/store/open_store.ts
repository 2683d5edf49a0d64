import { explainStore } from "../base/explain_store.ts";
import { AppError } from "../base/errors.ts";
import { sleep } from "../base/pause.ts";
import { gatherReads } from "./gather_reads.ts";
import { rowKeys } from "./keys.ts";
import { readOutboxSwitch } from "./outbox_switch.ts";
import { openService } from "./open_service.ts";
import { keepShort } from "./short_rows.ts";
import { slimStore } from "./store_file.ts";

/** Retries while another process writes: a few seconds in total, with increasing delays. */
const ATTEMPTS_MAX = 100;
const WAIT_MAX_MS = 50;

/** Limit of KV Connect. A file allows ten times as many, but the same code must work on both. */
const CHECKS_MAX = 10;

/**
 * Opens the database: a file path, or the URL of a KV Connect service. Throws ConfigError if the
 * file is not usable, or the service does not answer.
 *
 * Several processes may open the same file. SQLite then immediately refuses a commit with checks if
 * another process has just written. KV throws this error, so the commit is retried here.
 */
export async function openStore(path: string): Promise<Deno.Kv> {
  const kv = path === ":memory:"
    ? await Deno.openKv(path)
    : URL.canParse(path)
    ? await openService(path)
    : await openFile(path);
  gatherReads(kv);
  keepShort(kv);
  await readOutboxSwitch(kv);
  for (const write of ["set", "delete"] as const) {
    const tried = kv[write].bind(kv) as (...args: unknown[]) => Promise<never>;
    kv[write] = (...args: unknown[]) =>
      noteFull(kv, tried(...args)).catch((error) => {
        throw isFull(error) ? storeFull(error) : error;
      });
  }
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const op = atomic();
    const commit = op.commit.bind(op);
    const check = op.check.bind(op);
    let checks = 0;
    op.check = (...entries) => {
      checks += entries.length;
      if (checks > CHECKS_MAX) throw new TypeError(`Too many checks (max ${CHECKS_MAX})`);
      return check(...entries);
    };
    op.commit = () => commitPatiently(() => noteFull(kv, commit()));
    return op;
  };
  return kv;
}

/**
 * SQLite reports damage only in the parts that it reads. This reads the parts that every start
 * needs.
 */
async function openFile(path: string): Promise<Deno.Kv> {
  try {
    // Deno creates the file. A process that has it open already would not notice a changed index.
    (await Deno.openKv(path)).close();
    slimStore(path);
    const kv = await Deno.openKv(path);
    await kv.get(rowKeys.storeVersion());
    return kv;
  } catch (error) {
    throw explainStore(path, error);
  }
}

/** Repeats a refused commit unchanged, because none of it was written. */
async function commitPatiently(
  commit: Deno.AtomicOperation["commit"],
): ReturnType<Deno.AtomicOperation["commit"]> {
  for (let attempt = 1;; attempt++) {
    try {
      return await commit();
    } catch (error) {
      if (isFull(error)) throw storeFull(error);
      if (!isLocked(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    const waitMs = Math.random() * Math.min(attempt, WAIT_MAX_MS);
    await sleep(waitMs);
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("database is locked");

const storeFull = (cause: unknown): AppError =>
  Object.assign(new AppError(503, "errors.store_full"), { cause });

const fullStores = new WeakSet<Deno.Kv>();

/** Notes whether a write has found the disk full. */
async function noteFull<T>(kv: Deno.Kv, writing: Promise<T>): Promise<T> {
  try {
    const written = await writing;
    fullStores.delete(kv);
    return written;
  } catch (error) {
    if (isFull(error)) fullStores.add(kv);
    throw error;
  }
}

/** Whether the latest write found the disk of the store full or read-only. */
export const isFullNow = (kv: Deno.Kv): boolean => fullStores.has(kv);

/** Whether nothing was stored because the disk of the store is full or read-only. */
export const isStoreFull = (error: unknown): boolean =>
  error instanceof AppError && error.key === "errors.store_full";

/** Whether the error is how SQLite or Deno report that nothing more can be written. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && /disk is full|disk I\/O error|read-?only/i.test(error.message);
