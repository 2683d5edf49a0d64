import type { EndFollower } from "../../access/deps.ts";
import { alertFollower } from "../../alerts/outbox.ts";
import { driftFollower } from "../../drift/outbox.ts";
import { hostsFollower } from "../../hosts/outbox.ts";
import {
  alertWorker,
  digestWorker,
  messageWorker,
  runnerCallWorker,
} from "../../alerts/deliver.ts";
import type { SecretKeys } from "../../access/secret_keys.ts";
import { rotationWorker } from "../../maintenance/secret_key/rotation.ts";
import type { AnyWorker } from "../../jobs/worker.ts";
import { acceptedWorker } from "../../drift/end_accepted.ts";
import { driftWorker } from "../../drift/store_checks.ts";
import { hostsWorker } from "../../hosts/remember.ts";
import { deletionWorker } from "../../maintenance/projects/deletion.ts";
import { maintenanceEndWorker } from "../../maintenance/mode/service.ts";
import { fixWorker } from "../../triggers/checks/auto_fix.ts";
import { attemptWorker } from "../../queue/again/attempts.ts";
import { approvalWorker } from "../../queue/approvals/approval_limits.ts";
import { attemptFollower } from "../../queue/outboxes/attempt_outbox.ts";
import { runFollower } from "../../queue/outboxes/workflow_outbox.ts";
import { autorunFollower, autorunWorker } from "../../queue/start/autorun.ts";
import { buildWorkflowFollower, buildWorkflowWorker } from "../../workflows/runs/after_build.ts";
import { runWorker } from "../../workflows/runs/loop.ts";
import { retentionWorker } from "../../maintenance/retention/sweep.ts";
import { remoteCommit } from "../../execution/git/remote_commit.ts";
import { scheduleWorkers } from "../../triggers/schedules/fire.ts";
import type { AppDeps } from "../state.ts";

/** The work that rooms do later: one worker for each kind of job. */
export const workers: AnyWorker<AppDeps>[] = [
  alertWorker,
  digestWorker,
  messageWorker,
  runnerCallWorker,
  driftWorker,
  acceptedWorker,
  fixWorker,
  approvalWorker,
  attemptWorker,
  autorunWorker,
  buildWorkflowWorker,
  hostsWorker,
  deletionWorker,
  maintenanceEndWorker,
  retentionWorker,
  ...scheduleWorkers(({ environment }) => (...call) => remoteCommit(environment, ...call)),
  runWorker,
];

/** All workers of a server, with those that its settings ask for. */
export const workersOf = ({ current, previous }: SecretKeys): AnyWorker<AppDeps>[] => [
  ...workers,
  ...previous ? [rotationWorker(current, previous)] : [],
];

/** The parts of rooms in the commit that ends a task. */
export const endFollowers: readonly EndFollower[] = [
  driftFollower,
  alertFollower,
  runFollower,
  autorunFollower,
  buildWorkflowFollower,
  attemptFollower,
  hostsFollower,
];
