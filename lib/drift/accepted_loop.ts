import type { Deps } from "../access/deps.ts";
import { recordEvent } from "../events/record.ts";
import { type DueList, startDueLoop } from "../store/due.ts";
import { rowKeys } from "../store/keys.ts";
import type { Loop } from "../store/loop.ts";
import { transact } from "../store/transact.ts";
import { putAcceptedDue, withoutAccepted } from "./accept.ts";
import type { AcceptedDueRow } from "./rows.ts";
import { requireTemplateName } from "./service.ts";
import { openDrift, readDriftRows } from "./store.ts";

type LoopDeps = Pick<Deps, "kv" | "clock" | "log">;

/** Ends accepted differences at their time, on this server or another one. */
export const startAcceptedDrift = (deps: LoopDeps): Loop =>
  startDueLoop(deps, "accepted_drift", rowKeys.driftAcceptedWake(), dueAccepted(deps));

export const dueAccepted = (deps: Omit<LoopDeps, "log">): DueList<AcceptedDueRow> => ({
  prefix: rowKeys.driftAcceptedDue(),
  parallelMax: 4,
  handle: (entry) => endAccepted(deps, entry),
  put: putAcceptedDue,
  // People choose any time.
  longestWait: () => Infinity,
});

const endAccepted = (
  { kv, clock }: Omit<LoopDeps, "log">,
  { key, value }: Deno.KvEntry<AcceptedDueRow>,
): Promise<void> =>
  transact(kv, async (op) => {
    op.delete(key);
    const { project_id, template_id, hosts } = value;
    const drift = await openDrift(kv, op, project_id, template_id);
    if (!drift) return;
    const now = clock.now().getTime();
    const rows = await readDriftRows(kv, project_id, template_id, hosts);
    // Someone may have ended it before, or accepted it for longer.
    const over = rows.flatMap((row) => row?.accepted && row.accepted.until <= now ? row : []);
    if (over.length === 0) return;
    for (const row of over) drift.put(row, withoutAccepted(row));
    await drift.store();
    const actor = { kind: "server", id: template_id, projectId: project_id } as const;
    recordEvent(op, { kv, clock }, actor, {
      projectId: project_id,
      object: "template",
      id: template_id,
      name: await requireTemplateName(kv, project_id, template_id),
      action: "drift_acceptance_expired",
      params: { hosts: over.length, host: over[0].host },
    });
  });
