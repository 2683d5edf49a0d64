import denoJson from "./deno.json" with { type: "json" };
import { readFileRules } from "./lib/access/file_rules.ts";
import { createPasswords } from "./lib/access/passwords.ts";
import { openSecretKeys } from "./lib/access/same_key.ts";
import { CHANNELS } from "./lib/alerts/schema.ts";
import { watchCertificates } from "./lib/alerts/certificate_watch.ts";
import { watchRunners } from "./lib/alerts/runner_watch.ts";
import { startAudit } from "./lib/audit/receivers.ts";
import { readAuditSettings } from "./lib/audit/settings.ts";
import { openCertificate } from "./lib/web/server/certificate.ts";
import { createApp } from "./lib/web/server/app.ts";
import type { AppDeps } from "./lib/web/state.ts";
import type { Clock } from "./lib/base/clock.ts";
import { isShared, readConfig, requireSignInMethod } from "./lib/base/config.ts";
import { environmentSettings } from "./lib/base/known_settings.ts";
import { programVersion } from "./lib/base/program_version.ts";
import { readEnvironment } from "./lib/base/secret_settings.ts";
import { openData } from "./lib/maintenance/open_data.ts";
import { lockDataFolder } from "./lib/base/data_lock.ts";
import { startRemovingUnused } from "./lib/execution/ansible/toolchain.ts";
import { prepareRuns } from "./lib/execution/prepare_runs.ts";
import { recoverLeftovers } from "./lib/execution/recover.ts";
import { createLeaseStore } from "./lib/execution/sources/lease_store.ts";
import { revokeLeftOver } from "./lib/execution/sources/leases.ts";
import { createDoctor } from "./lib/monitoring/checks/doctor.ts";
import { createMachine } from "./lib/monitoring/checks/machine.ts";
import { watchStore } from "./lib/monitoring/health/watch_store.ts";
import { upgradeStore } from "./lib/web/server/upgrade.ts";
import { readLdap } from "./lib/ldap/settings.ts";
import { createProviders } from "./lib/oidc/provider.ts";
import { readProviders } from "./lib/oidc/read_settings.ts";
import { watchTurn } from "./lib/store/loop_watch.ts";
import { openStore } from "./lib/store/open_store.ts";
import { createHub } from "./lib/base/hub.ts";
import { endWithin } from "./lib/base/end_within.ts";
import { openServiceManager } from "./lib/base/service_manager.ts";
import { surviveUnhandled } from "./lib/base/unhandled.ts";
import { createRelay } from "./lib/live/relay.ts";
import { createAccessLog, describeError, stderrLog as log } from "./lib/base/log.ts";
import { countAttempts } from "./lib/monitoring/metrics/jobs.ts";
import { countEvents } from "./lib/monitoring/metrics/follow.ts";
import { startJobs } from "./lib/jobs/engine.ts";
import { endFollowers, workersOf } from "./lib/web/server/background.ts";
import { watchCalls } from "./lib/monitoring/metrics/watch_calls.ts";
import { watchEventLoop } from "./lib/monitoring/metrics/watch_loop.ts";
import { createMetrics } from "./lib/monitoring/metrics/metrics.ts";
import { requirePreviousKey } from "./lib/maintenance/secret_key/rotation.ts";
import { backupWatch, startAutomaticBackups } from "./lib/maintenance/server_backup/automatic.ts";
import {
  lockBackupFolder,
  readAutomaticBackups,
} from "./lib/maintenance/server_backup/automatic_settings.ts";
import { endWaits } from "./lib/tasks/waits.ts";
import { endBuilds } from "./lib/resources/toolchains/builds.ts";
import { startSweepingFolders } from "./lib/maintenance/projects/folders.ts";
import { startScheduler } from "./lib/triggers/schedules/loop.ts";
import { startRunnerCalls } from "./lib/queue/waiting/call_runners.ts";
import { createRemote } from "./lib/queue/remote/remote.ts";
import { startPresence } from "./lib/runners/presence.ts";
import { startDispatcher } from "./lib/queue/dispatch/dispatcher.ts";
import { checkFileRules } from "./lib/people/group_rules/service.ts";
import { takeBackOfGoneProviders } from "./lib/people/group_rules/take_back.ts";
import { checkWaysIn } from "./lib/people/sso/check_ways_in.ts";
import { ensureFirstAdmin } from "./lib/people/accounts/first_admin.ts";

const clock: Clock = { now: () => new Date(), ticks: () => performance.now() };
const unexpected = surviveUnhandled(log, clock.ticks);
const env = await readEnvironment();
const config = readConfig(env, programVersion(denoJson.version));
const providers = createProviders(await readProviders(env), clock);
const ldap = await readLdap(env);
const fileRules = await readFileRules(env);
const audit = await readAuditSettings(env);
requireSignInMethod(config, providers.list.length);
await openData(config);
const manager = openServiceManager(config.dataDir, log);
const certificate = config.tls && await openCertificate(config.tls, log);
const backups = await readAutomaticBackups(env, config);
const lock = await lockDataFolder(config.dataDir);
const backupLock = backups && await lockBackupFolder(backups.folder);
const metrics = createMetrics();
const kv = await openStore(config.kv, config.metricsToken ? watchCalls(metrics) : undefined);
const { keys: secretKeys, secrets } = await openSecretKeys(kv, env, config.dataDir);
const shared = isShared(config);
await requirePreviousKey(kv, secretKeys);
await upgradeStore({ kv, clock, secrets, config, certificate, manager, log });
await recoverLeftovers(
  config.dataDir,
  (error) => log("error", "leftovers_kept", describeError(error)),
);
const prepared = await prepareRuns(config, env, log);
const { ansible } = prepared;
const leases = createLeaseStore(config.dataDir, secrets);
const environment = { ...prepared.environment, leases };
const leaseKept = (error: unknown) => log("warn", "lease_kept", describeError(error));
revokeLeftOver(environment, leaseKept).catch(leaseKept);
const hub = createHub((error) => log("error", "listener_failed", describeError(error)));

const workers = workersOf(secretKeys);
const deps: AppDeps = {
  kv,
  clock,
  config,
  log,
  accessLog: config.accessLog ? createAccessLog() : null,
  secrets,
  passwords: createPasswords(kv),
  providers,
  directory: ldap && (await import("./lib/ldap/directory.ts")).createDirectory(ldap),
  fileRules,
  hub,
  live: shared ? createRelay({ kv, log }) : hub,
  metrics,
  running: () => dispatcher.running,
  environment,
  wakeDispatcher: () => dispatcher.wake(),
  ansibleVersion: ansible?.version ?? null,
  machine: createMachine(environment, config, kv, {
    readBackups: backupWatch(backups, { kv, clock, config }),
    unexpected,
    certificate: () => certificate?.problem ?? null,
  }),
  settings: environmentSettings(env),
  backupPlan: backups && {
    nextBackup: (now) => backups.cron.nextRun(now),
    nextTest: (now) => backups.testCron?.nextRun(now) ?? null,
  },
  doctor: createDoctor(env),
  remote: createRemote({ shared }),
  workers,
  endFollowers,
  onAlertAttempt: (channel, result) => metrics.alertAttempts.inc({ channel, result }),
};

checkWaysIn(deps).catch((error) => log("error", "check_failed", describeError(error)));
countEvents(deps, metrics);
if (config.metricsToken) watchEventLoop(metrics);
const { alertAttempts } = metrics;
// A counter that begins with its first event would hide this event from `increase()`.
for (const channel of CHANNELS) alertAttempts.inc({ channel, result: "abandoned" }, 0);
const attended = Deno.stdout.isTerminal();
const firstAdmin = await ensureFirstAdmin(deps, env, { attended });
const dispatcher = startDispatcher(deps, { environment, shared });
const loops = [
  startJobs(deps, workers, { shared, onAttempt: countAttempts(metrics, workers) }),
  startScheduler(deps),
  ...(config.alerts.runnerWebhookUrl ? [startRunnerCalls(deps)] : []),
  startSweepingFolders(deps),
  startRemovingUnused(
    config.dataDir,
    (error) => log("error", "toolchains_kept", describeError(error)),
    { watch: (work) => watchTurn(kv, "toolchains", work) },
  ),
  startPresence(deps),
  watchRunners(deps),
  watchCertificates(deps),
  watchStore(deps),
  ...await startAudit(deps, audit, { host: config.url?.hostname ?? Deno.hostname(), shared }),
  ...(backups ? [startAutomaticBackups(deps, backups, secretKeys)] : []),
];
checkFileRules(deps).then(() => takeBackOfGoneProviders(deps))
  .catch((error) => log("error", "group_rules_failed", describeError(error)));

/** Time for everything to end after the processes of interrupted tasks had their own. */
const LAST_MS = 15_000;

/** The app that the build serves. */
export const app = createApp(deps);

/** Objects and functions that the process around the app needs to start and end its work. */
export const server = {
  deps,
  certificate,
  manager,
  /** The administrator of whom the person who started the server is told. */
  firstAdmin,
  /**
   * Accepts no more work, and gives running work some time to finish. Then it resolves, whatever
   * has not ended. The next start ends the tasks of such work.
   */
  async drain() {
    endWaits(deps);
    const left = await endWithin(config.drainMs + config.stopGraceMs + LAST_MS, [
      ...loops.map((loop) => [loop.name, loop.stop()] as const),
      ["toolchain_builds", endBuilds(deps)],
      ["dispatcher", dispatcher.stop(config.drainMs)],
    ]);
    if (left.length === 0) return;
    log("error", "drain_cut", { left, tasks: dispatcher.runningIds() });
  },
  close() {
    kv.close();
    lock.close();
    backupLock?.close();
  },
};
