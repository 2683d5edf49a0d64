import type { Deps } from "../access/deps.ts";
import { recordEvent } from "../events/record.ts";
import { type Job, worker } from "../jobs/worker.ts";
import { transact } from "../store/transact.ts";
import { FULL } from "../store/rows/write_all.ts";
import { withoutAccepted } from "./accept.ts";
import { type AcceptedDue, acceptedJobs } from "./outbox.ts";
import { requireTemplateName } from "./service.ts";
import { openDrift, readDriftRows } from "./store.ts";

type WorkerDeps = Pick<Deps, "kv" | "clock" | "log">;

/** Ends accepted differences at their time, on this server or another one. */
export const acceptedWorker = worker<AcceptedDue, WorkerDeps>({
  kind: acceptedJobs,
  attempts: 10,
  waitsMs: [1_000, 10_000, 60_000, 600_000],
  limitMs: 5 * 60_000,
  parallel: 4,
  async run(deps, job) {
    for (let left = job.input.hosts; left.length > 0;) left = await endSome(deps, job, left);
  },
});

/** Ends some of the accepted differences in one commit. Resolves to the hosts that are left. */
const endSome = (
  { kv, clock }: WorkerDeps,
  job: Job<AcceptedDue>,
  hosts: string[],
): Promise<string[]> =>
  transact(kv, async (op) => {
    const { project_id, template_id } = job.input;
    const drift = await openDrift(kv, op, project_id, template_id);
    if (!drift) return [];
    const now = clock.now().getTime();
    const rows = await readDriftRows(kv, project_id, template_id, hosts);
    // Someone may have ended it before, or accepted it for longer.
    const over = rows.flatMap((row) => row?.accepted && row.accepted.until <= now ? row : []);
    if (over.length === 0) return [];
    let done = 0;
    for (const row of over) {
      if (op.used > FULL) break;
      drift.put(row, withoutAccepted(row));
      done++;
    }
    const left = over.slice(done).map(({ host }) => host);
    await job.keep(op, { ...job.input, hosts: left });
    await drift.store();
    const actor = { kind: "server", id: template_id, projectId: project_id } as const;
    recordEvent(op, { kv, clock }, actor, {
      projectId: project_id,
      object: "template",
      id: template_id,
      name: await requireTemplateName(kv, project_id, template_id),
      action: "drift_acceptance_expired",
      params: { hosts: done, host: over[0].host },
    });
    return left;
  });
