import { TIME_MAX } from "../base/time/clock.ts";
import { stale } from "../base/errors.ts";
import type { ProjectRow } from "../model/project_row.ts";
import { rowKeys } from "../store/keys.ts";
import { OVERTAKEN, retryOvertaken } from "../store/transact.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { JobId } from "./kind.ts";
import { deleteJob, newRow, requireRoom, setJob } from "./put.ts";
import type { JobRow } from "./rows.ts";
import { setAside } from "./set_aside.ts";
import type { AnyWorker, HeldJob, JobDeps } from "./worker.ts";

/** Time after which an attempt of a server that died is repeated. It renews it meanwhile. */
export const JOB_LEASE_MS = 30_000;
/** Wait for a project that is being deleted. Soon it is either gone or available again. */
const DELETING_MS = 1_000;

/** An entry of the index that is due. */
export interface DueJob {
  id: JobId;
  key: Deno.KvKey;
  project: number | null;
  group?: string;
}

/** An attempt that this server has claimed. */
export interface JobAttempt {
  job: HeldJob<object>;
  claim: string;
}

export interface JobContext<Deps extends JobDeps> {
  deps: Deps;
  worker: AnyWorker<Deps>;
  server: string;
}

/** Claims a job. Null if there is nothing to do now, or another server was faster. */
export const claimJob = <Deps extends JobDeps>(
  context: JobContext<Deps>,
  candidate: DueJob,
): Promise<JobAttempt | null> =>
  retryOvertaken(async () => {
    const { deps: { kv, clock }, worker: { kind, inDeletion, attempts }, server } = context;
    const [entry, project] = await kv.getMany<[JobRow, ProjectRow]>([
      rowKeys.job(kind.name, candidate.id),
      rowKeys.project(candidate.project ?? 0),
    ]);
    const row = entry.value;
    const op = kv.atomic().check(entry);
    const done = async (result: JobAttempt | null) => (await op.commit()).ok ? result : OVERTAKEN;
    if (!row || !isHeld(row, candidate)) {
      op.delete(candidate.key);
      return await done(null);
    }
    if (row.project_id !== null && project.value === null) {
      deleteJob(op, kind.name, candidate.id, row);
      return await done(null);
    }
    const { success, data: input } = kind.schema.safeParse(row.input);
    if (!success) {
      setAside(op, context.deps, kind, candidate.id, row, { key: "errors.jobs.invalid" });
      return await done(null);
    }
    const now = clock.now().getTime();
    const move = (next: JobRow) => setJob(op.delete(candidate.key), kind, candidate.id, next);
    if (row.project_id !== null && project.value?.deleting && !inDeletion) {
      move({ ...row, claim: undefined, at: now + DELETING_MS, decided: now });
      return await done(null);
    }
    const claim = { id: crypto.randomUUID(), server, until: now + JOB_LEASE_MS };
    const attempt = row.attempts + 1;
    move({ ...row, attempts: Math.min(attempt, attempts), claim });
    const job = { id: candidate.id, input, attempt, ...stepsOf(context, candidate.id, claim.id) };
    return await done({ job, claim: claim.id });
  });

/** Whether an entry of the index is the one of this row. */
const isHeld = (row: JobRow, { key }: DueJob): boolean =>
  row.set_aside === undefined &&
  new Date(row.claim?.until ?? row.at).toISOString() === key[2];

/** Reads the row of an attempt, and adds to `op` that it stays so. Null if it is another's now. */
async function ownRow(kv: Store, op: Atomic, kind: string, id: JobId, claim: string) {
  const entry = await kv.get<JobRow>(rowKeys.job(kind, id));
  if (entry.value?.claim?.id !== claim) return null;
  op.check(entry);
  return entry.value;
}

/** Reads the row of an attempt. Null if it is another's by now. */
export const readOwn = <Deps extends JobDeps>(
  { deps: { kv }, worker: { kind } }: JobContext<Deps>,
  { job: { id }, claim }: JobAttempt,
): Promise<JobRow | null> => ownRow(kv, kv.atomic(), kind.name, id, claim);

/** Returns the steps that work adds to its commits. */
export function stepsOf<Deps extends JobDeps>(
  { deps: { kv, clock }, worker: { kind } }: JobContext<Deps>,
  id: JobId,
  claim: string,
): Pick<HeldJob<object>, "hold" | "end" | "keep" | "again"> {
  const own = async (op: Atomic): Promise<JobRow> => {
    const row = await ownRow(kv, op, kind.name, id, claim);
    if (!row) throw stale();
    return row;
  };
  return {
    hold: async (op) => void await own(op),
    async end(op) {
      deleteJob(op, kind.name, id, await own(op));
    },
    async keep(op, input) {
      // Work that goes on may be interrupted any number of times.
      requireRoom(input);
      op.set(rowKeys.job(kind.name, id), { ...await own(op), input, attempts: 1 });
    },
    async again(op, at, input) {
      if (input) requireRoom(input);
      const { claim: lease, ...row } = await own(op);
      op.delete(rowKeys.jobDue(kind.name, lease!.until, id));
      const decided = clock.now().getTime();
      const time = Math.min(at.getTime(), TIME_MAX);
      setJob(op, kind, id, { ...row, ...input && { input }, at: time, decided, attempts: 0 });
    },
  };
}

/** Changes the row of an attempt. Resolves to false if it is another's by now. */
export const changeOwn = <Deps extends JobDeps>(
  { deps: { kv }, worker: { kind } }: JobContext<Deps>,
  { job: { id }, claim }: JobAttempt,
  change: (op: Atomic, row: JobRow) => void,
): Promise<boolean> =>
  retryOvertaken(async () => {
    const op = kv.atomic();
    const row = await ownRow(kv, op, kind.name, id, claim);
    if (!row) return false;
    op.delete(rowKeys.jobDue(kind.name, row.claim!.until, id));
    change(op, row);
    return (await op.commit()).ok ? true : OVERTAKEN;
  });

/** Renews the lease of an attempt. Resolves to whether it is still this server's. */
export const renew = <Deps extends JobDeps>(
  context: JobContext<Deps>,
  attempt: JobAttempt,
): Promise<boolean> =>
  changeOwn(context, attempt, (op, row) => {
    const until = context.deps.clock.now().getTime() + JOB_LEASE_MS;
    setJob(op, context.worker.kind, attempt.job.id, { ...row, claim: { ...row.claim!, until } });
  });

/** Ends the job of an attempt that has done all of its work, or makes it due for the next time. */
export const endAttempt = <Deps extends JobDeps>(context: JobContext<Deps>, attempt: JobAttempt) =>
  changeOwn(context, attempt, (op, { input }) => {
    const { deps, worker: { kind, everyMs } } = context;
    const { id } = attempt.job;
    if (everyMs === undefined) return void op.delete(rowKeys.job(kind.name, id));
    const now = deps.clock.now().getTime();
    setJob(op, kind, id, newRow(input, now, now + everyMs));
  });

/** Makes the job of an attempt that was interrupted by the end of the server due again. */
export const releaseAttempt = <Deps extends JobDeps>(
  context: JobContext<Deps>,
  attempt: JobAttempt,
) =>
  changeOwn(context, attempt, (op, { claim: _, ...row }) => {
    setJob(op, context.worker.kind, attempt.job.id, { ...row, attempts: row.attempts - 1 });
  });
