import { type MaintenanceRow, phaseOf } from "../../access/maintenance.ts";
import { kindNames, readJobTrouble } from "../../jobs/overview.ts";
import { rowKeys } from "../../store/keys.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, healthProblem } from "./finding.ts";

/** Checks whether background work is late. Some of it waits for the end of maintenance. */
export async function checkLateJobs(checkUp: CheckUp): Promise<Finding[]> {
  const found = await troubleOf(checkUp);
  if (!found) return [];
  const row = await checkUp.readRow(rowKeys.maintenance()) as MaintenanceRow | null;
  const isHeld = phaseOf(row, checkUp.clock.now()) === "on";
  return findingsOf("jobs_late", isHeld ? [] : found.late);
}

/** Checks whether background work was set aside after its last attempt. */
export async function checkJobsSetAside(checkUp: CheckUp): Promise<Finding[]> {
  const found = await troubleOf(checkUp);
  return found ? findingsOf("jobs_set_aside", found.set_aside) : [];
}

/** The check of the store says why it cannot be read. */
const troubleOf = ({ clock, readFirstKeys }: CheckUp) =>
  readJobTrouble(readFirstKeys, clock.now()).catch(() => null);

const findingsOf = (key: string, kinds: string[]): Finding[] => [
  kinds.length > 0
    ? healthProblem("warning", key, { kinds: kindNames(kinds) })
    : fine("doctor.level.ok"),
];
