import { linksOf } from "../definition.ts";
import type { RunRow, RunStarter, RunStep } from "../run_schema.ts";
import type { Definition, Step } from "../schema.ts";
import { readDefinition } from "./repository.ts";
import { listVotes } from "./vote_rows.ts";
import type { Store } from "../../store/store.ts";

/**
 * Returns the first states of the steps of a run that repeats `before`. Steps that succeeded are
 * kept, if all steps before them did, too, or were skipped. Approvals are asked for again after a
 * change of the definition, or if the new starter has voted on them. A nested run is repeated in
 * the same way.
 */
export async function reusedSteps(
  kv: Store,
  before: RunRow,
  definition: Definition,
  { user_id: starterId }: Pick<RunStarter, "user_id">,
): Promise<Record<string, RunStep>> {
  const { steps } = before;
  const [followed, votes] = await Promise.all([readDefinition(kv, before), listVotes(kv, before)]);
  const links = linksOf(definition.steps);
  const known = new Map(followed.steps.map((step) => [step.id, step]));
  const byId = new Map(definition.steps.map((step) => [step.id, step]));
  const isApproved = (id: number) =>
    definition.version === before.version &&
    !votes.get(id)?.some(({ user_id }) => user_id === starterId);
  const settled = new Map<number, boolean>();
  const isSettled = (id: number): boolean => {
    if (settled.has(id)) return settled.get(id)!;
    const step = byId.get(id)!;
    const { state } = steps[id] ?? { state: "pending" };
    const is = (state === "success" || state === "skipped") && sameWork(known.get(id), step) &&
      (step.kind !== "approval" || isApproved(id)) &&
      links.get(id)!.every(({ step }) => isSettled(step));
    settled.set(id, is);
    return is;
  };
  return Object.fromEntries(definition.steps.flatMap(({ id }): [number, RunStep][] => {
    const { state, run_id } = steps[id] ?? {};
    if (state === "success" && isSettled(id)) {
      return [[id, { ...steps[id], kept: true, handles: [] }]];
    }
    const isRepeated = run_id !== undefined && sameWork(known.get(id), byId.get(id)!);
    return isRepeated ? [[id, { state: "pending", repeats: run_id }]] : [];
  }));
}

/** Whether two steps do the same, wherever they are in the list. */
const sameWork = (a: Step | undefined, b: Step): boolean =>
  a !== undefined &&
  JSON.stringify({ ...a, name: "", after: null }) ===
    JSON.stringify({ ...b, name: "", after: null });
