import type { AnyWorker } from "../../jobs/worker.ts";
import { hostsWorker } from "../../hosts/remember.ts";
import { deletionWorker } from "../../maintenance/projects/deletion.ts";
import { maintenanceEndWorker } from "../../maintenance/mode/service.ts";
import type { AppDeps } from "../state.ts";

/** The work that rooms do later: one worker for each kind of job. */
export const workers: AnyWorker<AppDeps>[] = [
  hostsWorker,
  deletionWorker,
  maintenanceEndWorker,
];
