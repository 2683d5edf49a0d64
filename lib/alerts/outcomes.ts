import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";

/** Relation of an end to the one before. */
export type OutcomeChange = "first_failure" | "failed_again" | "recovered" | "succeeded_again";

/** There while the latest task of a template, or run of a workflow, has failed. */
interface Failing {
  since: string;
}

interface Outcome {
  project_id: number;
  kind: "template" | "workflow";
  id: number;
  failed: boolean;
  at: string;
}

/**
 * Adds the outcome of a task or a run to `op`, and returns how it follows on the one before. All
 * ends check the same row, so that each turn is stored for one of them only.
 */
export async function noteOutcome(
  kv: Store,
  op: Atomic,
  { project_id, kind, id, failed, at }: Outcome,
): Promise<OutcomeChange> {
  const entry = await kv.get<Failing>(rowKeys.alertFailure(project_id, kind, id));
  op.check(entry);
  if (failed) {
    if (entry.value) return "failed_again";
    op.set(entry.key, { since: at } satisfies Failing);
    return "first_failure";
  }
  if (!entry.value) return "succeeded_again";
  op.delete(entry.key);
  return "recovered";
}
