import type { ProjectScope } from "../../access/scope.ts";
import { conflict } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { stoppedBy } from "../../queue/ending/stop.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { WaitingPolicy } from "../../tasks/waiting_policy.ts";
import type { RunRow, RunView, StartRunForm } from "../run_schema.ts";
import { runEvent } from "../events.ts";
import { runChanged } from "./changes.ts";
import { type RunStart, startRun } from "./start.ts";
import { addStop } from "./stop.ts";

/** The actor is a trigger. */
const NO_PERSON = { id: null, username: null };

/** A run with the one that it replaces, or the run that is open already. */
export type RunByPolicy = { run: RunView; replaced: number | null } | { open: number };

/**
 * Starts a workflow for a schedule or an integration, unless an earlier run of it is open and
 * `policy` says otherwise. A run that is replaced is stopped in the same commit. At most one is
 * left open however many calls there are, on however many servers: each start takes the next id of
 * all runs, so no other start comes between reading the latest one and the commit. `also` adds to
 * that commit, as in `startRun`.
 */
export async function startRunByPolicy(
  scope: ProjectScope<"run_tasks">,
  workflowId: number,
  form: StartRunForm,
  policy: WaitingPolicy,
  also: RunStart["also"] = () => Promise.resolve(),
): Promise<RunByPolicy> {
  const { deps, actor, projectId } = scope;
  if (policy === "all" || actor.kind !== "schedule" && actor.kind !== "integration") {
    return { run: await startRun(scope, workflowId, form, { also }), replaced: null };
  }
  const key = rowKeys.latestRunStart(projectId, actor.kind, actor.id);
  const found: { open: number | null; replaced: RunRow | null } = { open: null, replaced: null };
  try {
    const run = await startRun(scope, workflowId, form, {
      also: async (op, added) => {
        found.replaced = null;
        const latest = (await deps.kv.get<number>(key)).value;
        const open = latest === null ? null : await findOpen(deps.kv, projectId, latest);
        if (open && policy === "one") {
          found.open = open.id;
          throw conflict("errors.run_open", { id: open.id });
        }
        op.set(key, added.id);
        await also(op, added);
        const asked = {
          stop: "stop",
          stopped_by: NO_PERSON,
          end_reason: stoppedBy(actor),
        } as const;
        if (!open || !await addStop(deps, op, { projectId, id: open.id }, asked)) return;
        recordEvent(op, deps, actor, runEvent(open, "stop_requested"));
        found.replaced = open;
      },
    });
    if (found.replaced) runChanged(deps, found.replaced);
    return { run, replaced: found.replaced?.id ?? null };
  } catch (error) {
    if (found.open === null) throw error;
    return { open: found.open };
  }
}

async function findOpen(kv: Store, projectId: number, id: number): Promise<RunRow | null> {
  const { value } = await kv.get<RunRow>(rowKeys.workflowRun(projectId, id));
  return value?.end === null ? value : null;
}
