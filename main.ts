import denoJson from "./deno.json" with { type: "json" };
import { createPasswords } from "./lib/access/passwords.ts";
import { CHANNELS } from "./lib/alerts/schema.ts";
import type { Clock } from "./lib/base/time/clock.ts";
import { isShared } from "./lib/base/settings/config.ts";
import { endWithin } from "./lib/base/time/end_within.ts";
import { createHub } from "./lib/base/hub.ts";
import { environmentSettings } from "./lib/base/settings/known_settings.ts";
import { createAccessLog, describeError, stderrLog as log } from "./lib/base/log.ts";
import { surviveUnhandled } from "./lib/base/unhandled.ts";
import { createRelay } from "./lib/live/relay.ts";
import { backupPlanOf, backupWatch } from "./lib/maintenance/server_backup/automatic.ts";
import { createDoctor } from "./lib/monitoring/checks/doctor.ts";
import { createMachine } from "./lib/monitoring/checks/machine.ts";
import { createMetrics } from "./lib/monitoring/metrics/metrics.ts";
import { ensureFirstAdmin } from "./lib/people/accounts/first_admin.ts";
import { startDispatcher } from "./lib/queue/dispatch/dispatcher.ts";
import { createRemote } from "./lib/queue/remote/remote.ts";
import { endBuilds } from "./lib/resources/toolchains/builds.ts";
import { announceStop } from "./lib/store/server_end.ts";
import { createApp } from "./lib/web/server/app.ts";
import { endFollowers, startBackground, workersOf } from "./lib/web/server/background.ts";
import { openRunEnvironment } from "./lib/web/server/open_run_environment.ts";
import { openServerData } from "./lib/web/server/open_server_data.ts";
import { readServerSettings } from "./lib/web/server/read_settings.ts";
import type { AppDeps } from "./lib/web/state.ts";
import { mountApps } from "./routes/(_pages)/apps.ts";

const clock: Clock = { now: () => new Date(), ticks: () => performance.now() };
const unexpected = surviveUnhandled(log, clock.ticks);
const settings = await readServerSettings(denoJson.version, clock);
const { env, config, providers, ldap, fileRules, audit } = settings;
const shared = isShared(config);
const metrics = createMetrics();
const data = await openServerData(settings, { clock, log, metrics });
const { kv, secrets, secretKeys, backups, certificate, manager } = data;
const { environment, ansibleVersion } = await openRunEnvironment(settings, secrets, log);
const hub = createHub((error) => log("error", "listener_failed", describeError(error)));

const workers = workersOf({ secretKeys, backups });
const deps: AppDeps = {
  ...{ kv, clock, config, log, secrets, providers, fileRules, hub, metrics },
  ...{ environment, ansibleVersion, workers, endFollowers },
  accessLog: config.accessLog ? createAccessLog() : null,
  passwords: createPasswords(kv),
  directory: ldap && (await import("./lib/ldap/directory.ts")).createDirectory(ldap),
  live: shared ? createRelay({ kv, log }) : hub,
  running: () => dispatcher.running,
  wakeDispatcher: () => dispatcher.wake(),
  machine: createMachine(environment, config, kv, {
    readBackups: backupWatch(backups, { kv, clock, config }),
    unexpected,
    certificate: () => certificate?.problem ?? null,
  }),
  settings: environmentSettings(env),
  backupPlan: backupPlanOf(backups),
  doctor: createDoctor(env),
  remote: createRemote({ shared }),
  onAlertAttempt: (channel, result) => metrics.alertAttempts.inc({ channel, result }),
};

// A counter that begins with its first event would hide this event from `increase()`.
for (const channel of CHANNELS) metrics.alertAttempts.inc({ channel, result: "abandoned" }, 0);
const attended = Deno.stdout.isTerminal();
const firstAdmin = await ensureFirstAdmin(deps, env, { attended });
const dispatcher = startDispatcher(deps, { environment, shared });
const loops = await startBackground(deps, { audit, backups });

/** Time for everything to end after the processes of interrupted tasks had their own. */
const LAST_MS = 15_000;

/** The app that the build serves. */
export const app = mountApps(createApp(deps));

/** Objects and functions that the process around the app needs to start and end its work. */
export const server = {
  deps,
  certificate,
  manager,
  /** The first administrator, which is shown to the person who started the server. */
  firstAdmin,
  /**
   * Accepts no more work, and gives running work some time to finish. Then it resolves, whatever
   * has not ended. The next start ends the tasks of such work.
   */
  async drain() {
    announceStop(deps);
    const left = await endWithin(config.drainMs + config.stopGraceMs + LAST_MS, [
      ...loops.map((loop) => [loop.name, loop.stop()] as const),
      ["toolchain_builds", endBuilds(deps)],
      ["dispatcher", dispatcher.stop(config.drainMs)],
    ]);
    if (left.length === 0) return;
    log("error", "drain_cut", { left, tasks: dispatcher.runningIds() });
  },
  close: data.close,
};
