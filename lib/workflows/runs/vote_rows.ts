import type { Vote } from "../../approvals/schema.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { RunRow } from "../run_schema.ts";

/** Returns the votes of a run by step, the oldest first. */
export async function listVotes(
  kv: Store,
  { project_id, id }: RunRow,
): Promise<Map<number, Vote[]>> {
  const votes = new Map<number, Vote[]>();
  for await (
    const { key, value } of kv.list<Vote>({ prefix: rowKeys.workflowVotes(project_id, id) })
  ) {
    const stepId = key[3] as number;
    votes.set(stepId, [...votes.get(stepId) ?? [], value]);
  }
  for (const some of votes.values()) some.sort((a, b) => a.created < b.created ? -1 : 1);
  return votes;
}
