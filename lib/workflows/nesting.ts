import { AppError } from "../base/errors.ts";
import { NESTING_MAX } from "./limits.ts";
import type { WorkflowRow } from "./schema.ts";

type Nesting = Pick<WorkflowRow, "id" | "steps">;

/**
 * Throws 400 if `changed` would contain itself, or if a chain of nested workflows through it would
 * be too long. `stored` are the workflows of the project.
 */
export function validateNesting(changed: Nesting, stored: readonly Nesting[]): void {
  const nested = new Map(stored.map((row) => [row.id, nestedIn(row)]));
  nested.set(changed.id, nestedIn(changed));
  const below = depth(changed.id, (id) => nested.get(id) ?? []);
  const users = (id: number) =>
    [...nested].filter(([, inside]) => inside.includes(id)).map(([user]) => user);
  if (below === null) refuse(changed, "errors.workflows.nested_in_itself");
  const above = depth(changed.id, users);
  if (above === null || below! + above - 1 > NESTING_MAX) {
    refuse(changed, "errors.workflows.nested_too_deep", { max: NESTING_MAX });
  }
}

/**
 * Returns a validator of workflows that are stored together. It throws 400 as `validateNesting`
 * does. Of a chain that is too long, it refuses only the workflows at its beginning.
 */
export function nestingValidator(all: readonly Nesting[]): (row: Nesting) => void {
  const nested = new Map(all.map((row) => [row.id, nestedIn(row)]));
  const known = new Map<number, number | null>();
  return (row) => {
    const below = depth(row.id, (id) => nested.get(id) ?? [], known);
    if (below === null) refuse(row, "errors.workflows.nested_in_itself");
    if (below > NESTING_MAX) refuse(row, "errors.workflows.nested_too_deep", { max: NESTING_MAX });
  };
}

function refuse({ steps }: Nesting, key: string, params = {}): never {
  const n = steps.findIndex(({ kind }) => kind === "workflow");
  const fields = { [n < 0 ? "steps" : `steps.${n}.workflow_id`]: { key, params } };
  throw new AppError(400, key, params, { fields });
}

const nestedIn = ({ steps }: Nesting): number[] => [
  ...new Set(steps.flatMap((step) => step.kind === "workflow" ? [step.workflow_id] : [])),
];

/** Returns the length of the longest chain from `id`; null if one leads back into itself. */
function depth(
  id: number,
  next: (id: number) => number[],
  known = new Map<number, number | null>(),
): number | null {
  const visit = (id: number): number | null => {
    if (known.has(id)) return known.get(id)!;
    known.set(id, null);
    const depths = next(id).map(visit);
    const longest = depths.includes(null) ? null : 1 + Math.max(0, ...depths as number[]);
    known.set(id, longest);
    return longest;
  };
  return visit(id);
}
