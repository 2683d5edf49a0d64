import { AppError, conflict } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";
import type { LogHead } from "./store.ts";

/** Versions of the rows while no one else has continued the log. */
export interface LogStamps {
  headStamp: string | null;
  fenceStamp: string | null;
}

type Add = (op: Deno.AtomicOperation) => void;

/**
 * Commits one after the other, because a reader must never see a line before the ones in front of
 * it. Each commit checks the head that this writer knows, so that a server that lost the task
 * cannot overwrite another's head. To continue a log, a server moves its fence, which writers never
 * move. It can therefore do so between any two of their commits.
 */
export function commitsInTurn({ kv, taskId }: { kv: Deno.Kv; taskId: number }, start: LogStamps) {
  const key = rowKeys.taskLogHead(taskId);
  const fence = { key: rowKeys.taskLogFence(taskId), versionstamp: start.fenceStamp };
  let stamp = start.headStamp;
  let stored: Promise<void> = Promise.resolve();
  let [failed, waiting] = [false, 0];
  // Errors reach the caller of `flush`. No one waits for each commit.
  const note = () => void stored.catch(() => failed = true);
  const addTo = (op: Deno.AtomicOperation, head: LogHead) =>
    op.check({ key, versionstamp: stamp }, fence).set(key, head);
  const next = (head: LogHead, add: Add) =>
    stored.then(async () => {
      const op = addTo(kv.atomic(), head);
      add(op);
      stamp = await commit(op, head);
    });

  /** Returns the current versionstamp of the head. */
  async function commit(op: Deno.AtomicOperation, head: LogHead): Promise<string> {
    const committed = await op.commit();
    if (committed.ok) return committed.versionstamp;
    // Over a network, a commit is sent again if its response was lost.
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
    /**
     * Adds a commit in the same way. Its failure does not affect the other commits, unless the task
     * was lost.
     */
    addBeside(head: LogHead, add: Add): Promise<void> {
      const done = next(head, add);
      stored = done.catch((error) => {
        if (error instanceof AppError) throw error;
      });
      note();
      return done;
    },
    done: () => stored,
    /** Adds the head and its check to a commit of another component. */
    addTo,
    lagBehind: () => failed || waiting > 4,
  };
}
