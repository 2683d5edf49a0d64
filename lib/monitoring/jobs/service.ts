import type { Deps } from "../../access/deps.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import type { AdminScope } from "../../access/scope.ts";
import { AppError, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import type { JobId } from "../../jobs/kind.ts";
import { countJobs, type JobCounts } from "../../jobs/overview.ts";
import { deleteJob } from "../../jobs/put.ts";
import {
  holdSetAside,
  type JobSetAside,
  listSetAsideRows,
  setAsideOfKind,
  tryAgain,
} from "../../jobs/set_aside.ts";
import type { AnyWorker } from "../../jobs/worker.ts";
import { transact } from "../../store/transact.ts";
import { JOBS_COUNTED_MAX, type SetAsideView } from "./schema.ts";
import { findProject, getProjectRows } from "../../model/projects.ts";

/** Dependencies of a server that does work later. */
export interface WorkDeps extends Deps {
  workers: readonly AnyWorker<Deps>[];
}

/** Returns all kinds of background work with the numbers of their jobs. */
export const listJobs = ({ deps }: AdminScope<WorkDeps>): Promise<JobCounts[]> =>
  countJobs(deps, deps.workers, JOBS_COUNTED_MAX);

interface SetAsidePage {
  jobs: SetAsideView[];
  hasNext: boolean;
}

/** Returns jobs that were set aside, the latest first. */
export async function listSetAside(
  { deps: { kv } }: AdminScope,
  page: { skip: number; limit: number },
): Promise<SetAsidePage> {
  const { jobs, hasNext } = await listSetAsideRows(kv, page);
  const rows = await getProjectRows(kv, jobs.map(({ row }) => row.project_id ?? 0));
  const projects = new Map(rows.map((project) => [project.id, project]));
  return {
    jobs: jobs.map((job) => viewOf(job, projects.get(job.row.project_id ?? 0) ?? null)),
    hasNext,
  };
}

/** Returns a job that was set aside. Throws not found. */
export async function getSetAside({ deps: { kv } }: AdminScope, id: string): Promise<SetAsideView> {
  const job = partsOf(id);
  const row = await holdSetAside(kv, kv.atomic(), job.kind, job.id);
  const project = await findProject(kv, row.project_id ?? 0);
  return viewOf({ ...job, row }, project);
}

const viewOf = ({ kind, id, row }: JobSetAside, project: ProjectRow | null): SetAsideView => ({
  id: `${kind}-${id}`,
  kind,
  project_id: row.project_id,
  project_name: project?.name ?? null,
  since: new Date(row.set_aside!).toISOString(),
  attempts: row.attempts,
  reason: row.failure!.reason,
});

const KIND = /^[a-z_]{1,100}$/;
const ID = /^([a-z_]{1,100})-(.{1,200})$/;

/** Returns the kind and the id of a job. Throws not found for any other text. */
function partsOf(text: string): { kind: string; id: JobId } {
  const [, kind, id] = ID.exec(text) ?? [];
  if (kind === undefined) throw notFound();
  return { kind, id: /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id };
}

/** Makes a job that was set aside due again. Throws not found. */
export const retryJob = (scope: AdminScope<WorkDeps>, id: string): Promise<void> =>
  change(scope, "retried", partsOf(id));

/** Deletes a job that was set aside. Throws not found. */
export const discardJob = (scope: AdminScope<WorkDeps>, id: string): Promise<void> =>
  change(scope, "discarded", partsOf(id));

/** Makes all jobs of a kind that were set aside due again. */
export const retryKind = (scope: AdminScope<WorkDeps>, kind: string): Promise<void> =>
  changeAll(scope, "retried", kind);

/** Deletes all jobs of a kind that were set aside. */
export const discardKind = (scope: AdminScope<WorkDeps>, kind: string): Promise<void> =>
  changeAll(scope, "discarded", kind);

type Action = "retried" | "discarded";

async function change(
  { deps, actor }: AdminScope<WorkDeps>,
  action: Action,
  { kind, id }: { kind: string; id: JobId },
): Promise<void> {
  const declared = deps.workers.find((worker) => worker.kind.name === kind)?.kind;
  await transact(deps.kv, async (op) => {
    const row = await holdSetAside(deps.kv, op, kind, id);
    if (action === "retried") tryAgain(op, deps, declared, id, row);
    else deleteJob(op, kind, id, row);
    const about = { projectId: 0, object: "job", id: 0, name: `${kind}-${id}` } as const;
    recordEvent(op, deps, actor, { ...about, action });
  });
}

/** Changes all jobs of a kind. Throws after the others the first refusal, and 404 for none. */
async function changeAll(
  scope: AdminScope<WorkDeps>,
  action: Action,
  kind: string,
): Promise<void> {
  const refusals: unknown[] = [];
  for (const id of await idsOfKind(scope, kind)) {
    await change(scope, action, { kind, id }).catch((error) => {
      if (!(error instanceof AppError)) throw error;
      // Someone else may have been faster.
      if (error.status !== 404) refusals.push(error);
    });
  }
  if (refusals.length > 0) throw refusals[0];
}

/** Throws not found if no job of this kind was set aside. */
export const requireKind = async (scope: AdminScope<WorkDeps>, kind: string): Promise<void> =>
  void await idsOfKind(scope, kind);

async function idsOfKind({ deps: { kv } }: AdminScope<WorkDeps>, kind: string): Promise<JobId[]> {
  const ids = KIND.test(kind) ? await setAsideOfKind(kv, kind) : [];
  if (ids.length === 0) throw notFound();
  return ids;
}
