import type { Sentence } from "../base/errors.ts";
import { isFinished, type Status } from "../tasks/status.ts";
import type { RunResults } from "./schema.ts";

type Told = Pick<RunResults, "complete" | "lost">;

/**
 * Whether the results of a task with this status end before its playbook did. A preview is finished
 * once it waits for its confirmation.
 */
export const endsEarly = (status: Status, { complete }: Told): boolean =>
  !complete && (isFinished(status) || status === "waiting_confirmation");

/** Returns the reasons why results are incomplete; empty if they are complete so far. */
export function gapsOf(status: Status, run: Told): Sentence[] {
  const gaps: Sentence[] = [];
  if (endsEarly(status, run)) {
    gaps.push({ key: `results.ends_early${status === "stopped" ? "_stopped" : ""}` });
  }
  if (run.lost > 0) gaps.push({ key: "results.lost", params: { count: run.lost } });
  return gaps;
}
