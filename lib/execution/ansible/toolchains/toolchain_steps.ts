import { secretsIn } from "../../../base/secret.ts";
import { runLog } from "../../log/run_log.ts";
import { collectProcess, runProcess } from "../../process/supervise.ts";
import type { Variables } from "../../process/variables.ts";
import { type RunContext, runError } from "../../run/context.ts";
import type { ToolchainPlan } from "../plan.ts";

/** A build of a toolchain, with the variables of its commands. */
export interface Building {
  context: RunContext;
  toolchain: ToolchainPlan;
  env: Variables;
}

/** Runs a command whose output is in the log. Throws 422 with its message if it fails. */
export async function step({ context, toolchain: { name }, env }: Building, command: string[]) {
  const { directory, supervision, env: { timeLimits, packages } } = context;
  const last: string[] = [];
  // The mirror's password is masked here, since it is not a secret of the run's plan.
  const log = runLog(secretsIn(packages), context.say);
  const output = log.pipe((line) => {
    last.push(context.mask(line, false));
    if (last.length > LINES_KEPT) last.shift();
  });
  const { exitCode, limitReached } = await runProcess(
    { command, cwd: directory.path, env, limitMs: timeLimits.galaxyMs },
    supervision,
    output.write,
  );
  await output.end();
  supervision.stop.throwIfAborted();
  if (limitReached) {
    const seconds = Math.round(timeLimits.galaxyMs / 1000);
    throw runError("errors.run.toolchain_time_limit", { name, seconds });
  }
  if (exitCode !== 0) throw runError("errors.run.toolchain_failed", { name, said: errorIn(last) });
}

const LINES_KEPT = 40;
const SAID_MAX = 1_000;

/** Returns the lines of an output that say what was wrong, or else the last ones. */
function errorIn(lines: string[]): string {
  const wrong = lines.filter((line) => /^\s*(ERROR|error|\[ERROR\]|×)/.test(line));
  return (wrong.length > 0 ? wrong : lines.slice(-4)).join("\n").slice(-SAID_MAX);
}

/** Returns the output of a command. Throws 422 with its message if it fails. */
export async function printed({ context, toolchain: { name }, env }: Building, command: string[]) {
  const { exitCode, stdout, stderr } = await collectProcess(
    { command, cwd: context.directory.path, env, limitMs: 60_000 },
    context.supervision,
  );
  context.supervision.stop.throwIfAborted();
  if (exitCode === 0) return stdout;
  const said = context.mask(stderr.trim().slice(-SAID_MAX), false) || command.join(" ");
  throw runError("errors.run.toolchain_failed", { name, said });
}
