import type { AnyWorker } from "../../jobs/worker.ts";
import { acceptedWorker } from "../../drift/end_accepted.ts";
import { driftWorker } from "../../drift/store_checks.ts";
import { hostsWorker } from "../../hosts/remember.ts";
import { deletionWorker } from "../../maintenance/projects/deletion.ts";
import { maintenanceEndWorker } from "../../maintenance/mode/service.ts";
import { fixWorker } from "../../triggers/checks/auto_fix.ts";
import type { AppDeps } from "../state.ts";

/** The work that rooms do later: one worker for each kind of job. */
export const workers: AnyWorker<AppDeps>[] = [
  driftWorker,
  acceptedWorker,
  fixWorker,
  hostsWorker,
  deletionWorker,
  maintenanceEndWorker,
];
