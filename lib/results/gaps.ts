import type { Sentence } from "../base/errors.ts";
import { isFinished, type Status } from "../tasks/status.ts";
import type { RunResults } from "./schema.ts";

type Told = Pick<RunResults, "complete" | "lost">;

/**
 * Whether the results of a task that stands so end before its playbook did. A preview is over as
 * soon as it waits to be confirmed.
 */
export const endsEarly = (status: Status, { complete }: Told): boolean =>
  !complete && (isFinished(status) || status === "waiting_confirmation");

/** Why the results are not all that a run did; empty for a run that told everything so far. */
export function gapsOf(status: Status, run: Told): Sentence[] {
  const gaps: Sentence[] = [];
  if (endsEarly(status, run)) {
    gaps.push({ key: `results.ends_early${status === "stopped" ? "_stopped" : ""}` });
  }
  if (run.lost > 0) gaps.push({ key: "results.lost", params: { count: run.lost } });
  return gaps;
}
