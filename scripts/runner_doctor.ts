import { openDataFolder } from "../lib/base/machine/data_folder.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import type { Environment } from "../lib/base/settings/settings.ts";
import { checkCertificate } from "../lib/monitoring/checks/certificate.ts";
import type { RunsCheckUp } from "../lib/monitoring/checks/check_up.ts";
import { runChosenChecks } from "../lib/monitoring/checks/checks.ts";
import { checkClock } from "../lib/monitoring/checks/clock_check.ts";
import type { Finding } from "../lib/monitoring/checks/finding.ts";
import { checkFolder, checkSpace } from "../lib/monitoring/checks/folder.ts";
import { checkIsolation } from "../lib/monitoring/checks/isolation_check.ts";
import {
  checkAnsible,
  checkGit,
  checkPython,
  checkSsh,
  checkTools,
} from "../lib/monitoring/checks/programs.ts";
import { noIsolation } from "../lib/execution/process/isolation.ts";
import { readIsolation } from "../lib/execution/process/prepare_isolation.ts";
import { runEnvironment } from "../lib/execution/run/environment.ts";
import { failureOf, Refused } from "../lib/runner/program/connection.ts";
import { readRegistration, type Registration } from "../lib/runner/program/registration.ts";
import type { RunnerConfig } from "../lib/runner/program/settings.ts";
import { tryServer } from "../lib/runner/program/try_server.ts";
import { say } from "./console.ts";
import { asText, showProgress } from "./doctor_report.ts";

/** Checks what a runner needs, and prints the findings. Returns whether no check has failed. */
export async function examineRunner(config: RunnerConfig, env: Environment): Promise<boolean> {
  const registration = await readRegistration(config);
  await openDataFolder(config);
  // The check of isolation says what is wrong.
  const isolation = await readIsolation(config).catch(() => noIsolation);
  const environment = runEnvironment(config, isolation, env);
  const url = registration ? new URL(registration.server) : config.url;
  const checkUp: RunsCheckUp = {
    config: { ...config, url },
    clock: { now: () => new Date(), ticks: () => performance.now() },
    env,
    environment,
    instance: null,
    providers: [],
  };
  const checks = {
    folder: checkFolder,
    space: checkSpace,
    git: checkGit,
    ssh: checkSsh,
    python: checkPython,
    ansible: checkAnsible,
    toolchains: checkTools,
    isolation: checkIsolation,
    clock: checkClock,
    address: () => checkServerOf(registration, config, checkUp),
  };
  const report = await runChosenChecks(checks, checkUp, showProgress);
  say(asText(report));
  return report.level !== "failed";
}

async function checkServerOf(
  registration: Registration | null,
  { caCerts }: RunnerConfig,
  { clock }: RunsCheckUp,
): Promise<Finding[]> {
  if (!registration) {
    const next = `Type "${operatorCommand("runner register")}" with the server's address.`;
    return [{ level: "failed", found: "This runner is not registered.", next }];
  }
  const { server, token } = registration;
  const certificate = checkCertificate(new URL(server), clock);
  const found = await tryServer({ server, token, caCerts }).then(
    (): Finding => ({ level: "ok", found: `${server} accepts this runner.`, next: null }),
    (error): Finding => ({
      level: "failed",
      found: `${server}: ${failureOf(error)}`,
      next: adviceOn(error),
    }),
  );
  const open: Finding[] = server.startsWith("http:") ? [UNENCRYPTED] : [];
  // A certificate of a private authority is fine if the server was reached with it.
  const isReached = found.level === "ok";
  const findings = (await certificate).filter(({ level }) => level === "ok" || !isReached);
  return [found, ...open, ...findings];
}

const UNENCRYPTED: Finding = {
  level: "warning",
  found: "The connection is not encrypted, so others may read the runner's token.",
  next: "Use an https address of the server.",
};

function adviceOn(error: unknown): string {
  const status = error instanceof Refused ? error.status : 0;
  switch (status) {
    case 0:
      return "Check the address, the proxy variables and SSL_CERT_FILE: see docs/runners.md.";
    case 401:
      return "Register the runner again with a new token.";
    case 426:
      return "Install the version of the server on this machine.";
    default:
      return "Look at the log of the server, and of the proxy in front of it.";
  }
}
