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
import { watchCertificates } from "../../alerts/certificate_watch.ts";
import { watchRunners } from "../../alerts/runner_watch.ts";
import { startAudit } from "../../audit/receivers.ts";
import type { AuditSettings } from "../../audit/settings.ts";
import { isShared } from "../../base/settings/config.ts";
import { describeError } from "../../base/log.ts";
import { startRemovingUnused } from "../../execution/ansible/toolchains/toolchain.ts";
import { startJobs } from "../../jobs/engine.ts";
import { startSweepingFolders } from "../../maintenance/projects/folders.ts";
import { backupWorker, endBackups } from "../../maintenance/server_backup/automatic.ts";
import type { AutomaticBackups } from "../../maintenance/server_backup/automatic_settings.ts";
import { watchStore } from "../../monitoring/health/watch_store.ts";
import { countEvents } from "../../monitoring/metrics/follow.ts";
import { countAttempts } from "../../monitoring/metrics/jobs.ts";
import { watchEventLoop } from "../../monitoring/metrics/watch_loop.ts";
import { validateFileRules } from "../../people/group_rules/service.ts";
import { takeBackOfGoneProviders } from "../../people/group_rules/take_back.ts";
import { tryWaysIn } from "../../people/sso/try_ways_in.ts";
import { startRunnerCalls } from "../../queue/waiting/call_runners.ts";
import { startPresence } from "../../runners/presence.ts";
import type { Loop } from "../../store/loop.ts";
import { watchPass } from "../../store/loop_watch.ts";
import { startScheduler } from "../../triggers/schedules/loop.ts";
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

/** Settings that ask for work of their own. */
interface WorkSettings {
  secretKeys: SecretKeys;
  backups: AutomaticBackups | null;
}

/** All workers of a server, with those that its settings ask for. */
export const workersOf = ({ secretKeys, backups }: WorkSettings): AnyWorker<AppDeps>[] => [
  ...workers,
  ...secretKeys.previous ? [rotationWorker(secretKeys.current, secretKeys.previous)] : [],
  ...backups ? [backupWorker<AppDeps>(backups, secretKeys)] : [],
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

interface BackgroundOptions {
  audit: AuditSettings;
  backups: AutomaticBackups | null;
}

/** Starts the work that goes on beside requests, and what follows the start. */
export async function startBackground(
  deps: AppDeps,
  { audit, backups }: BackgroundOptions,
): Promise<Pick<Loop, "name" | "stop">[]> {
  const { config, kv, log, metrics, workers } = deps;
  const shared = isShared(config);
  const failed = (event: string) => (error: unknown) => log("error", event, describeError(error));
  tryWaysIn(deps).catch(failed("check_failed"));
  validateFileRules(deps).then(() => takeBackOfGoneProviders(deps))
    .catch(failed("group_rules_failed"));
  countEvents(deps, metrics);
  if (config.metricsToken) watchEventLoop(metrics);
  if (!backups) await endBackups(deps);
  return [
    startJobs(deps, workers, { shared, onAttempt: countAttempts(metrics, workers) }),
    startScheduler(deps),
    ...(config.alerts.runnerWebhookUrl ? [startRunnerCalls(deps)] : []),
    startSweepingFolders(deps),
    startRemovingUnused(
      config.dataDir,
      failed("toolchains_kept"),
      { watch: (work) => watchPass(kv, "toolchains", work) },
    ),
    startPresence(deps),
    watchRunners(deps),
    watchCertificates(deps),
    watchStore(deps),
    ...await startAudit(deps, audit, { host: config.url?.hostname ?? Deno.hostname(), shared }),
  ];
}
