import { putJob } from "@/lib/jobs/put.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { workers } from "@/lib/web/server/background.ts";

/** Objects of a project that jobs refer to. */
interface Things {
  project_id: number;
  template_id: number;
  rule_id: number;
  schedule_id: number;
  /** A task that has ended. */
  task_id: number;
}

/**
 * The input of a job of each kind. Kinds with none get their work from what the test asks the
 * server for.
 */
const WORK: Record<string, ((things: Things) => object) | null> = {
  accepted_drift: ({ project_id, template_id }) => ({ project_id, template_id, hosts: ["web"] }),
  alert_digests: ({ project_id, rule_id }) => ({ project_id, place: project_id, rule_id }),
  alert_messages: null,
  alerts: null,
  approvals: ({ project_id, task_id }) => ({ project_id, task_id }),
  attempts: null,
  auto_fixes: ({ project_id, template_id, task_id }) => ({ project_id, template_id, task_id }),
  autoruns: null,
  build_workflows: null,
  calls_for_runners: ({ project_id, task_id, template_id }) => ({
    ...{ project_id, task_id, template_id },
    labels: ["gpu"],
  }),
  drift: null,
  hosts: null,
  maintenance_end: () => ({ ends: new Date().toISOString() }),
  project_deletion: null,
  retention: null,
  schedule_check: firing,
  schedule_start: firing,
  workflows: null,
};

function firing({ project_id, schedule_id }: Things): object {
  return { project_id, schedule_id, taken: new Date().toISOString() };
}

/** Kinds of which this names no work, or which no longer exist. */
export function unknownKinds(): string[] {
  const kinds = new Set(workers.map(({ kind }) => kind.name));
  return [...kinds.symmetricDifference(new Set(Object.keys(WORK)))];
}

/** Puts a job of each kind that needs it in the store of a server that is down. */
export async function putWork(file: string, things: Things): Promise<void> {
  using kv = await openStore(file);
  const op = kv.atomic();
  for (const { kind } of workers) {
    const input = WORK[kind.name]?.(things);
    if (input) putJob(op, { clock: { now: () => new Date() } }, kind, kind.schema.parse(input));
  }
  await op.commit();
}
