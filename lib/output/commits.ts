import { AppError, conflict } from "../base/errors.ts";
import type { Hold } from "../store/hold.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { LogHead } from "./store.ts";

/** Versions of the rows while no one else has continued the log. */
export interface LogStamps {
  headStamp: string | null;
  fenceStamp: string | null;
}

type Add = (op: Atomic) => void;

/** Lines that a commit stores. */
export interface CommitPart {
  add: Add;
  /** Called once they are stored. */
  then(): void;
}

/**
 * Commits one after the other, because a reader must never see a line before the ones in front of
 * it. Each commit checks the head that this writer knows, so that a server that lost the task
 * cannot overwrite another's head. To continue a log, a server moves its fence, which writers never
 * move. It can therefore do so between any two of their commits.
 */
export function commitsInTurn(
  { kv, taskId, hold }: { kv: Store; taskId: number; hold: Hold },
  start: LogStamps,
) {
  const key = rowKeys.taskLogHead(taskId);
  const fence = { key: rowKeys.taskLogFence(taskId), versionstamp: start.fenceStamp };
  let stamp = start.headStamp;
  let stored: Promise<void> = Promise.resolve();
  let [failed, waiting] = [false, 0];
  // Errors reach the caller of `flush`. No one waits for each commit.
  const note = () => void stored.catch(() => failed = true);
  const addTo = (op: Atomic, head: LogHead) =>
    op.check({ key, versionstamp: stamp }, fence).set(key, head);

  async function commitNow(head: LogHead, ...parts: Add[]): Promise<void> {
    const op = addTo(kv.atomic(), head);
    for (const add of parts) add(op);
    stamp = await commit(op, head);
  }

  /** Returns the current versionstamp of the head. */
  async function commit(op: Atomic, head: LogHead): Promise<string> {
    const committed = await hold.write(() => op.commit());
    if (committed.ok) return committed.versionstamp;
    // Over a network, a commit is sent again if its response was lost.
    const [{ value, versionstamp }, now] = await kv.getMany<[LogHead, number]>([key, fence.key]);
    const isStored = value?.writer === head.writer && value?.lines === head.lines;
    if (isStored && now.versionstamp === fence.versionstamp) return versionstamp!;
    throw conflict("errors.run.lease_lost");
  }

  return {
    add(head: LogHead, lines: CommitPart): Promise<void> {
      waiting++;
      stored = stored.then(() => commitNow(head, lines.add)).then(() => {
        waiting--;
        lines.then();
      });
      note();
      return stored;
    },
    /**
     * Adds a commit of other rows and of lines, if there are any. If it fails, the lines are stored
     * alone, unless the task was lost.
     */
    addBeside(head: LogHead, add: Add, lines: CommitPart | null): Promise<void> {
      const parts = lines ? [lines.add, add] : [add];
      const done = stored.then(() => commitNow(head, ...parts));
      const kept = done.catch((error) => {
        if (error instanceof AppError) throw error;
        if (lines) return commitNow(head, lines.add);
      });
      stored = kept.then(() => lines?.then());
      note();
      return done;
    },
    done: () => stored,
    /** Adds the closed head to a commit of another component. A closed log needs no fence. */
    close: (op: Atomic, head: LogHead) => addTo(op, head).delete(fence.key),
    lagBehind: () => failed || waiting > 4,
  };
}
