import { inLimit } from "../base/time/abort.ts";
import { cutText } from "../base/text/cut_text.ts";
import { AppError, type Sentence, sentenceOf } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { fitRow } from "../store/rows/fit_row.ts";
import { rowKeys } from "../store/keys.ts";
import { isStale } from "../store/transact.ts";
import { changeOwn, type JobAttempt, type JobContext, readOwn } from "./attempt.ts";
import { REASON_BYTES_MAX, setJob } from "./put.ts";
import { setAside, trimSetAside } from "./set_aside.ts";
import type { JobDeps } from "./worker.ts";

/**
 * Stores a failed attempt. Resolves to whether the job is set aside, or to "lost" if it was no
 * longer this attempt's: someone has ended it or put it again.
 */
export async function failAttempt<Deps extends JobDeps>(
  context: JobContext<Deps>,
  attempt: JobAttempt,
  error: unknown,
): Promise<"failed" | "set_aside" | "lost"> {
  const { deps, worker } = context;
  const { job } = attempt;
  const reason = reasonOf(error);
  // Attempts count since the work last went on.
  const attempts = (await readOwn(context, attempt))?.attempts;
  if (attempts === undefined) return "lost";
  const isLast = attempts >= worker.attempts;
  const isElsewhere = isLast && await giveUpElsewhere(context, attempt, reason);
  const isStored = await changeOwn(context, attempt, (op, { claim: _, ...row }) => {
    if (isElsewhere) return void op.delete(rowKeys.job(worker.kind.name, job.id));
    if (isLast) return setAside(op, deps, worker.kind, job.id, row, reason);
    const now = deps.clock.now().getTime();
    const waits = worker.waitsMs;
    // The commit that was faster has changed the rows that the next attempt reads.
    const waitMs = error instanceof AppError && isStale(error)
      ? 0
      : waits[Math.min(attempts, waits.length) - 1] ?? 0;
    const next = { ...row, at: now + waitMs, decided: now, failure: { reason, at: now } };
    setJob(op, worker.kind, job.id, next);
  });
  if (isElsewhere) return "failed";
  if (!isStored) return "lost";
  if (!isLast) return "failed";
  await trimSetAside(deps.kv, worker.kind.name);
  return "set_aside";
}

/** Whether the worker has reported a failed job. One that cannot must not repeat it for ever. */
async function giveUpElsewhere<Deps extends JobDeps>(
  context: JobContext<Deps>,
  attempt: JobAttempt,
  reason: Sentence,
): Promise<boolean> {
  const { deps, worker: { kind, gaveUp, limitMs } } = context;
  const { job } = attempt;
  if (!gaveUp) return false;
  try {
    return await inLimit(gaveUp(deps, job, reason), limitMs, () => new Error("It takes too long"));
  } catch (error) {
    deps.log("error", "job_not_told", { kind: kind.name, job: job.id, ...describeError(error) });
    return false;
  }
}

const MESSAGE_BYTES_MAX = 500;

/** Returns the sentence for an error. A bug has none, so its message is shown. */
const reasonOf = (error: unknown): Sentence =>
  error instanceof AppError ? fitRow(sentenceOf(error), REASON_BYTES_MAX) : {
    key: "errors.jobs.unexpected",
    params: {
      message: cutText(error instanceof Error ? error.message : String(error), MESSAGE_BYTES_MAX),
    },
  };
