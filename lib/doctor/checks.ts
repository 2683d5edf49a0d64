import { inLimit } from "../base/abort.ts";
import { whyOf } from "../base/why.ts";
import { checkAddress } from "./address.ts";
import { checkAuditLog } from "./audit_check.ts";
import type { CheckUp } from "./check_up.ts";
import { checkClock } from "./clock_check.ts";
import { checkFolder, checkSpace } from "./folder.ts";
import { type Finding, type Level, problem, worstLevel } from "./finding.ts";
import { checkIsolation } from "./isolation_check.ts";
import { checkJobs } from "./jobs_check.ts";
import { checkLimits, checkTimeZone } from "./limits.ts";
import { checkMail } from "./mail.ts";
import { checkAnsible, checkGit, checkPython, checkSsh, checkTools } from "./programs.ts";
import { checkSettings } from "./settings_check.ts";
import { checkDirectory, checkProviders } from "./sign_in_checks.ts";
import { checkBackups, checkStore } from "./store_check.ts";

type Check<C> = (checkUp: C) => Promise<Finding[]>;

/** All checks in the order of a report. One that returns no finding does not apply. */
const CHECKS = {
  settings: checkSettings,
  folder: checkFolder,
  space: checkSpace,
  store: checkStore,
  backup: checkBackups,
  git: checkGit,
  ssh: checkSsh,
  python: checkPython,
  ansible: checkAnsible,
  toolchains: checkTools,
  isolation: checkIsolation,
  limits: checkLimits,
  clock: checkClock,
  time_zone: checkTimeZone,
  address: checkAddress,
  mail: checkMail,
  audit: checkAuditLog,
  jobs: checkJobs,
  providers: checkProviders,
  directory: checkDirectory,
} satisfies Record<string, Check<CheckUp>>;

export type CheckName = keyof typeof CHECKS;

/** Result of one check. */
interface CheckResult {
  check: CheckName;
  findings: Finding[];
}

/** Results of all checks that apply. */
export interface Report {
  /** Start of the checks, in ISO 8601. */
  at: string;
  level: Level;
  results: CheckResult[];
}

/** Called with the checks that have not ended, at the start and whenever one has ended. */
type OnProgress = (running: readonly CheckName[]) => void;

const LIMIT_MS = 10_000;

/**
 * Runs all checks in parallel, each with a time limit. They neither write to the store nor lock it,
 * so a server may run meanwhile.
 */
export const runChecks = (
  checkUp: CheckUp,
  onProgress: OnProgress = () => {},
  limitMs = LIMIT_MS,
): Promise<Report> => runChosenChecks(CHECKS, checkUp, onProgress, limitMs);

/** Like `runChecks`, for some of the checks or others in their place. */
export async function runChosenChecks<C extends Pick<CheckUp, "clock">>(
  checks: Partial<Record<CheckName, Check<C>>>,
  checkUp: C,
  onProgress: OnProgress = () => {},
  limitMs = LIMIT_MS,
): Promise<Report> {
  const at = checkUp.clock.now().toISOString();
  const running = Object.keys(checks) as CheckName[];
  onProgress(running);
  const all = await Promise.all([...running].map(async (check): Promise<CheckResult> => {
    const findings = await runCheck(checks[check]!, checkUp, limitMs);
    running.splice(running.indexOf(check), 1);
    onProgress(running);
    return { check, findings };
  }));
  const results = all.filter(({ findings }) => findings.length > 0);
  return { at, level: worstLevel(results.flatMap(({ findings }) => findings)), results };
}

async function runCheck<C>(check: Check<C>, checkUp: C, limitMs: number): Promise<Finding[]> {
  const late = new Error("late");
  try {
    return await inLimit(check(checkUp), limitMs, () => late);
  } catch (error) {
    if (error === late) return [problem("failed", "doctor.late", { seconds: limitMs / 1000 })];
    return [problem("failed", "doctor.unexpected", { why: whyOf(error).text })];
  }
}
