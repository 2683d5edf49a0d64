import { type MaintenanceRow, phaseOf } from "../access/maintenance.ts";
import { kindNames, readJobTrouble } from "../jobs/overview.ts";
import { rowKeys } from "../store/keys.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, problemOfHealth } from "./finding.ts";

/** Checks whether background work is late or was set aside. */
export async function checkJobs({ clock, readRow, readFirstKeys }: CheckUp): Promise<Finding[]> {
  const found = await readJobTrouble(readFirstKeys, clock.now()).catch(() => null);
  // The check of the store says why it cannot be read.
  if (!found) return [];
  const maintenance = await readRow(rowKeys.maintenance()) as MaintenanceRow | null;
  const late = phaseOf(maintenance, clock.now()) === "on" ? [] : found.late;
  const findings = Object.entries({ jobs_late: late, jobs_set_aside: found.set_aside })
    .filter(([, kinds]) => kinds.length > 0)
    .map(([key, kinds]) => problemOfHealth("warning", key, { kinds: kindNames(kinds) }));
  return findings.length > 0 ? findings : [fine("doctor.jobs.fine")];
}
