import type { RunnerForm } from "./schema.ts";
import type { RunnerRow } from "./rows.ts";

/** Returns the row of a runner that is not registered yet. */
export const newRunner = (
  id: number,
  {
    name,
    description,
    project_id,
    project_ids,
    labels,
    max_parallel_tasks,
  }: RunnerForm & Pick<RunnerRow, "project_id">,
  created: string,
): RunnerRow => ({
  id,
  name,
  description,
  project_id,
  project_ids,
  labels,
  max_parallel_tasks,
  state: "active",
  public_key: null,
  token_hash: null,
  next_token_hash: null,
  registration: null,
  facts: null,
  created,
  registered: null,
});
