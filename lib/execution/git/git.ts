import { NO_SPACE } from "../../base/machine/disk_space.ts";
import type { AppError } from "../../base/errors.ts";
import { collectProcess } from "../process/supervise.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { RepositoryAddress } from "../run/plan.ts";
import type { GitAccess } from "./access.ts";
import { ASKS_FOR_CREDENTIALS, REFUSES_CREDENTIALS } from "./refusal.ts";

/** Runs git and returns its output. Throws an error that explains its failure. */
export async function git(
  { env, supervision }: RunContext,
  access: GitAccess,
  cwd: string,
  args: string[],
): Promise<string> {
  const end = await collectProcess(
    { command: ["git", ...args], cwd, env: access.env, limitMs: env.timeLimits.gitMs },
    supervision,
  );
  if (end.limitReached) {
    throw runError("errors.run.git_time_limit", {
      seconds: Math.round(env.timeLimits.gitMs / 1000),
    });
  }
  if (end.exitCode === 127) throw runError("errors.run.git_missing");
  if (end.exitCode !== 0) throw gitFailure(end.stderr, access.address);
  return end.stdout;
}

/** Messages of git and ssh with the keys that explain them. The first match wins. */
const FAILURES: [RegExp, string][] = [
  [NO_SPACE, "errors.run.disk_full"],
  [/cannot run ssh\b|\bssh: (command )?not found/, "errors.run.ssh_missing"],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/,
    "errors.run.host_key_changed",
  ],
  [/couldn't find remote ref|no such remote ref/i, "errors.run.branch_missing"],
  [ASKS_FOR_CREDENTIALS, "errors.run.credentials_wanted"],
  [REFUSES_CREDENTIALS, "errors.run.repository_key_refused"],
  [
    /certificate verif(y|ication) failed|SSL certificate problem/i,
    "errors.run.certificate_untrusted",
  ],
  [
    /Could not resolve|Name or service not known|No route to host|Network is unreachable/i,
    "errors.run.repository_unreachable",
  ],
  [
    /Connection (refused|timed out|reset|closed)|unable to connect|Failed to connect/i,
    "errors.run.repository_unreachable",
  ],
  [/Operation (timed out|too slow)/i, "errors.run.repository_unreachable"],
  [
    /not found|(appear to be|not) a git repository|does not exist|No such file/i,
    "errors.run.repository_missing",
  ],
];

/** Most characters of git's message that are repeated, because they are stored with the task. */
const SAID_MAX = 500;

/** Explains why git failed. `cause` holds git's own message. */
function gitFailure(stderr: string, address: RepositoryAddress): AppError {
  const key = FAILURES.find(([pattern]) => pattern.test(stderr))?.[1] ?? "errors.run.git_failed";
  const said = (stderr.trim().split("\n").at(-1) ?? "").slice(0, SAID_MAX);
  const error = runError(key, { host: address.host, url: address.url, said });
  error.cause = stderr.trim();
  return error;
}

/** Whether another attempt cannot fix `error`. */
export const isFinal = (error: unknown) =>
  !(error instanceof Error) || !("key" in error) || error.key !== "errors.run.git_failed";
