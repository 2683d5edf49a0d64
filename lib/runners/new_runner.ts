import type { RunnerForm } from "./schema.ts";
import type { RunnerRow } from "./rows.ts";

type Given =
  & Omit<RunnerForm, "name">
  & Pick<RunnerRow, "project_id">
  & Partial<Pick<RunnerRow, "name" | "is_default">>;

/** Returns the row of a runner that is not registered yet. */
export const newRunner = (
  id: number,
  {
    name = `runner-${id}`,
    description,
    project_id,
    project_ids,
    labels,
    max_parallel_tasks,
    is_default = false,
  }: Given,
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
  is_default,
  public_key: null,
  token_hash: null,
  next_token_hash: null,
  registration: null,
  facts: null,
  created,
  registered: null,
});
