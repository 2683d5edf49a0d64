import { AppError, conflict } from "../base/errors.ts";
import type { LogHead } from "./log_store.ts";

type Add = (op: Deno.AtomicOperation) => void;

/**
 * Commits one after the other: a reader must never see a line before those in front of it. Each has
 * the head as this writer knows it: a lost server's must not be written over another's.
 */
export function commitsInTurn(kv: Deno.Kv, key: Deno.KvKey, fromStamp: string | null) {
  let stamp = fromStamp;
  let stored: Promise<void> = Promise.resolve();
  let [failed, waiting] = [false, 0];
  // Who flushes is told; nobody waits for each commit.
  const note = () => void stored.catch(() => failed = true);
  const next = (head: LogHead, add: Add) =>
    stored.then(async () => {
      stamp = await commit(kv, { key, versionstamp: stamp }, head, add);
    });
  return {
    add(head: LogHead, add: Add, then: () => void): Promise<void> {
      waiting++;
      stored = next(head, add).then(() => {
        waiting--;
        then();
      });
      note();
      return stored;
    },
    /** The same; what fails for another reason than a lost task is no failure of the others. */
    addBeside(head: LogHead, add: Add): Promise<void> {
      const done = next(head, add);
      stored = done.catch((error) => {
        if (error instanceof AppError) throw error;
      });
      note();
      return done;
    },
    done: () => stored,
    stamp: () => stamp,
    lagBehind: () => failed || waiting > 4,
  };
}

/** Stores what `add` adds where the head is as it was; answers the versionstamp that it has now. */
async function commit(
  kv: Deno.Kv,
  before: { key: Deno.KvKey; versionstamp: string | null },
  head: LogHead,
  add: Add,
): Promise<string> {
  const op = kv.atomic().check(before).set(before.key, head);
  add(op);
  const committed = await op.commit();
  if (committed.ok) return committed.versionstamp;
  // Over a network a commit is sent again when its answer was lost.
  const { value, versionstamp } = await kv.get<LogHead>(before.key);
  if (value?.writer === head.writer && value?.lines === head.lines) return versionstamp!;
  throw conflict("errors.run.lease_lost");
}
