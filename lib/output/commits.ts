import { AppError, conflict } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";
import type { LogHead } from "./store.ts";

/** The rows as they are while nobody else has gone on with the log. */
export interface LogStamps {
  headStamp: string | null;
  fenceStamp: string | null;
}

type Add = (op: Deno.AtomicOperation) => void;

/**
 * Commits one after the other: a reader must never see a line before those in front of it. Each has
 * the head as this writer knows it: a lost server's must not be written over another's. Who goes on
 * with a log moves its fence, which writers never do: between two commits of theirs there is always
 * time for that.
 */
export function commitsInTurn({ kv, taskId }: { kv: Deno.Kv; taskId: number }, start: LogStamps) {
  const key = rowKeys.taskLogHead(taskId);
  const fence = { key: rowKeys.taskLogFence(taskId), versionstamp: start.fenceStamp };
  let stamp = start.headStamp;
  let stored: Promise<void> = Promise.resolve();
  let [failed, waiting] = [false, 0];
  // Who flushes is told; nobody waits for each commit.
  const note = () => void stored.catch(() => failed = true);
  const addTo = (op: Deno.AtomicOperation, head: LogHead) =>
    op.check({ key, versionstamp: stamp }, fence).set(key, head);
  const next = (head: LogHead, add: Add) =>
    stored.then(async () => {
      const op = addTo(kv.atomic(), head);
      add(op);
      stamp = await commit(op, head);
    });

  /** Answers the versionstamp that the head has now. */
  async function commit(op: Deno.AtomicOperation, head: LogHead): Promise<string> {
    const committed = await op.commit();
    if (committed.ok) return committed.versionstamp;
    // Over a network a commit is sent again when its answer was lost.
    const [{ value, versionstamp }, now] = await kv.getMany<[LogHead, number]>([key, fence.key]);
    const isStored = value?.writer === head.writer && value?.lines === head.lines;
    if (isStored && now.versionstamp === fence.versionstamp) return versionstamp!;
    throw conflict("errors.run.lease_lost");
  }

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
    /** Adds the head and its condition to a commit of somebody else's. */
    addTo,
    lagBehind: () => failed || waiting > 4,
  };
}
