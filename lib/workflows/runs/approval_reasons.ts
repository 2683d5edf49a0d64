import { missingApprovals } from "../../approvals/missing.ts";
import { plainReason, type Reason } from "../../base/reason.ts";
import type { Store } from "../../store/store.ts";
import { labelOf } from "../definition.ts";
import type { RunRow, RunStep } from "../run_schema.ts";
import type { Definition } from "../schema.ts";

/**
 * Returns the reason of each run that waits for approval, in the status that people see: its first
 * step that asks for one. It is null for the other runs, which cost no read.
 */
export async function approvalReasons(
  kv: Store,
  runs: readonly RunRow[],
  definitions: readonly Definition[],
): Promise<(Reason | null)[]> {
  const asking = runs.map(({ status, steps }, n) =>
    status === "approval" ? definitions[n].steps.filter(({ id }) => asks(steps[id])) : []
  );
  const votes = asking.flatMap(([step], n) => {
    if (step?.kind !== "approval") return [];
    const { id: run_id, project_id, steps } = runs[n];
    return [{ run_id, project_id, ...step.approval, approved: steps[step.id].approved ?? 0 }];
  });
  const missing = await missingApprovals(kv, votes);
  const sentences = new Map(votes.map(({ run_id }, n) => [run_id, missing[n]]));
  return asking.map(([step, ...others], n) => {
    if (!step) return null;
    const value = sentences.get(runs[n].id) ?? { key: "workflows.state.approval" };
    const message = { key: "lists.labelled", params: { label: labelOf(step), value } };
    return { ...plainReason(message), more: others.length };
  });
}

/** Whether a step of a run that waits for approval asks for one: its votes, its task or its run. */
const asks = ({ state, approved }: RunStep): boolean =>
  state === "running" || state === "waiting" && approved !== undefined;
