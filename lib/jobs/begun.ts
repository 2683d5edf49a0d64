import type { Atomic } from "../store/store.ts";
import { JOB_LEASE_MS, stepsOf } from "./attempt.ts";
import type { JobId, JobKind } from "./kind.ts";
import { makeAttempt, type OnAttempt } from "./lane.ts";
import { jobId, newRow, replaceJob } from "./put.ts";
import type { AnyWorker, JobDeps } from "./worker.ts";

/** A job whose first attempt its caller makes. */
interface BegunJob {
  id: JobId;
  input: object;
  claim: { id: string; server: string; until: number };
}

/**
 * Adds work to `op` that the caller does with `doBegun` as soon as that is stored. If this fails,
 * or the server dies meanwhile, it is repeated as any other job.
 */
export function putBegun<Input extends object>(
  op: Atomic,
  { clock }: Pick<JobDeps, "clock">,
  kind: JobKind<Input>,
  input: Input,
): BegunJob {
  const now = clock.now().getTime();
  const claim = { id: crypto.randomUUID(), server: crypto.randomUUID(), until: now + JOB_LEASE_MS };
  const id = jobId(kind, input);
  replaceJob(op, kind, id, { ...newRow(input, now), attempts: 1, claim });
  return { id, input, claim };
}

/** Makes the first attempt at a job. Throws what the work throws, after that is stored. */
export async function doBegun<Deps extends JobDeps>(
  deps: Deps,
  worker: AnyWorker<Deps>,
  { id, input, claim }: BegunJob,
  onAttempt: OnAttempt = () => {},
): Promise<void> {
  const context = { deps, worker, server: claim.server };
  const job = { id, input, attempt: 1, ...stepsOf(context, id, claim.id) };
  const stop = new AbortController().signal; // a server waits for its requests
  const failure = await makeAttempt({ ...context, stop, onAttempt }, { job, claim: claim.id });
  if (failure) throw failure.error;
}
