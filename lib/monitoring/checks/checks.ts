import * as quick from "./quick_checks.ts";
import { inLimit } from "../../base/time/abort.ts";
import type { SentenceOrText } from "../../base/sentence_or_text.ts";
import { whyOf } from "../../base/why.ts";
import { checkAddress } from "./address.ts";
import type { CheckUp } from "./check_up.ts";
import { checkClock } from "./clock_check.ts";
import { checkFolder, checkSpace } from "./folder.ts";
import { type Finding, fine, type Level, problem, worstLevel } from "./finding.ts";
import type { Glance } from "./glance.ts";
import { checkIsolation } from "./isolation_check.ts";
import { checkJobsSetAside, checkLateJobs } from "./jobs_check.ts";
import { checkLimits, checkTimeZone } from "./limits.ts";
import { checkMail } from "./mail.ts";
import { checkAnsible, checkGit, checkPython, checkSsh, checkTools } from "./programs.ts";
import { checkSettings } from "./settings_check.ts";
import { checkDirectory, checkProviders } from "./sign_in_checks.ts";
import { checkBackups, checkStore } from "./store_check.ts";
import { readAuditSettings } from "../../audit/settings.ts";
import { AUDIT_SINKS, type AuditCursor } from "../../events/cursors.ts";
import { rowKeys } from "../../store/keys.ts";

type Thorough<C> = (checkUp: C) => Promise<Finding[]>;

/** A check of the server, in one way or in both. One that returns no finding does not apply. */
interface Check {
  /**
   * Judges a glance of the running server, whenever its health is asked for. Nothing in the
   * findings is secret.
   */
  quick?(glance: Glance): Finding[];
  /**
   * Takes up to some seconds, on demand: in the running server, or from the command line, even if
   * no server runs. It neither writes to the store nor locks it.
   */
  thorough?: Thorough<CheckUp>;
}

/** All checks in the order of a report. */
const CHECKS = {
  settings: { thorough: checkSettings },
  folder: { quick: quick.quickFolder, thorough: checkFolder },
  space: { thorough: checkSpace },
  store: { quick: quick.quickStore, thorough: checkStore },
  backup: { quick: quick.quickBackups, thorough: checkBackups },
  queue: { quick: quick.quickQueue },
  schedules: { quick: quick.quickSchedules },
  alerts: { quick: quick.quickAlerts },
  loops: { quick: quick.quickLoops },
  jobs_late: { quick: quick.quickLateJobs, thorough: checkLateJobs },
  jobs_set_aside: { quick: quick.quickJobsSetAside, thorough: checkJobsSetAside },
  process: { quick: quick.quickProcess },
  git: { thorough: checkGit },
  ssh: { thorough: checkSsh },
  python: { thorough: checkPython },
  ansible: { quick: quick.quickAnsible, thorough: checkAnsible },
  toolchains: { thorough: checkTools },
  isolation: { quick: quick.quickIsolation, thorough: checkIsolation },
  limits: { thorough: checkLimits },
  clock: { thorough: checkClock },
  time_zone: { thorough: checkTimeZone },
  address: { thorough: checkAddress },
  mail: { thorough: checkMail },
  audit: { quick: quick.quickAuditLog, thorough: checkAuditLog },
  providers: { thorough: checkProviders },
  directory: { thorough: checkDirectory },
} satisfies Record<string, Check>;

export type CheckName = keyof typeof CHECKS;

const LIST = Object.entries(CHECKS) as [CheckName, Check][];

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

/** All checks as a server knows them now. */
export interface CheckList extends Omit<Report, "at"> {
  /** Time of the thorough checks; null if there were none since the start. */
  at: string | null;
}

/** Returns the findings of the quick part of a check. */
export const glanceAt = (check: CheckName, glance: Glance): Finding[] =>
  (CHECKS[check] as Check).quick?.(glance) ?? [];

/** Returns what a server sees now, with the findings of its latest thorough checks. */
export function listChecks(glance: Glance, report: Report | null): CheckList {
  const results = LIST.flatMap(([check]): CheckResult[] => {
    const known = report?.results.find((result) => result.check === check)?.findings ?? [];
    const findings = withoutDoubles(glanceAt(check, glance), known);
    return findings.length > 0 ? [{ check, findings }] : [];
  });
  return { at: report?.at ?? null, level: levelOf(results), results };
}

/** A problem of now says more than a failure of then, and details of then more than no problem. */
function withoutDoubles(quick: Finding[], thorough: Finding[]): Finding[] {
  if (quick.every(({ level }) => level === "ok")) return thorough.length > 0 ? thorough : quick;
  const isKnown = ({ found }: Finding) => quick.some((one) => keyOf(one.found) === keyOf(found));
  return [...quick, ...thorough.filter((one) => one.level !== "failed" && !isKnown(one))];
}

const keyOf = (found: SentenceOrText): string => typeof found === "string" ? found : found.key;

const levelOf = (results: CheckResult[]): Level =>
  worstLevel(results.flatMap(({ findings }) => findings));

/** Called with the checks that have not ended, at the start and whenever one has ended. */
type OnProgress = (running: readonly CheckName[]) => void;

const LIMIT_MS = 10_000;

/** Runs all thorough checks in parallel, each with a time limit. */
export const runChecks = (
  checkUp: CheckUp,
  onProgress: OnProgress = () => {},
  limitMs = LIMIT_MS,
): Promise<Report> => {
  const thorough = LIST.flatMap(([name, { thorough }]) => thorough ? [[name, thorough]] : []);
  return runChosenChecks(Object.fromEntries(thorough), checkUp, onProgress, limitMs);
};

/** Like `runChecks`, for some of the checks or others in their place. */
export async function runChosenChecks<C extends Pick<CheckUp, "clock">>(
  checks: Partial<Record<CheckName, Thorough<C>>>,
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
  return { at, level: levelOf(results), results };
}

async function runCheck<C>(check: Thorough<C>, checkUp: C, limitMs: number): Promise<Finding[]> {
  const late = new Error("late");
  try {
    return await inLimit(check(checkUp), limitMs, () => late);
  } catch (error) {
    if (error === late) return [problem("failed", "doctor.late", { seconds: limitMs / 1000 })];
    return [problem("failed", "doctor.unexpected", { why: whyOf(error).text })];
  }
}

/** Checks whether the receivers of the audit log confirm its events, as the server has noted. */
async function checkAuditLog({ env, readRow }: CheckUp): Promise<Finding[]> {
  const settings = await readAuditSettings(env);
  const findings: Finding[] = [];
  for (const receiver of AUDIT_SINKS.filter((sink) => settings[sink] !== null)) {
    const cursor = await readRow(rowKeys.auditCursor(receiver)) as AuditCursor | null;
    const { failing_since: since, reason: why } = cursor ?? {};
    findings.push(
      since
        ? problem("failed", "doctor.audit.failing", { receiver, since, why: why ?? "" })
        : fine("doctor.audit.works", { receiver }),
    );
  }
  return findings;
}
