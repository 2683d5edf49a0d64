import { parseArgs } from "node:util";
import { ConfigError } from "../lib/base/settings.ts";
import { operatorCommand } from "../lib/base/operator_command.ts";
import { type CheckName, type Report, runChecks } from "../lib/doctor/checks.ts";
import { openLocalCheckUp } from "../lib/doctor/local_check_up.ts";
import { tell } from "../lib/i18n/tell.ts";
import { translator } from "../lib/i18n/translate.ts";
import { isOneAddress } from "../lib/people/users/schema.ts";
import { say } from "./console.ts";
import { explain } from "./explain.ts";

const USAGE = `Checks what this server needs, whether it is running or not. Changes nothing.

  ${operatorCommand("doctor")} [--json] [--send-to ADDRESS]

Use the account and the environment of the server. --send-to also sends a test message. The exit
code is 1 if a check has failed.`;

const t = translator("en");
const encoder = new TextEncoder();

async function main(args: string[]): Promise<void> {
  const options = { json: { type: "boolean" }, "send-to": { type: "string" } } as const;
  const { values: { json, "send-to": sendTo = null } } = parseArgs({ args, options });
  if (sendTo !== null && !isOneAddress(sendTo)) throw new ConfigError(USAGE);
  const names = Object.keys(Deno.env.toObject());
  await using checkUp = await openLocalCheckUp({ variables: Deno.env, names, sendTo });
  const report = await runChecks(checkUp, showProgress);
  say(json ? JSON.stringify(asJson(report), null, 2) : asText(report));
  Deno.exitCode = report.level === "failed" ? 1 : 0;
}

/** Shows the checks that still run in one line of a terminal, and removes it at the end. */
function showProgress(running: readonly CheckName[]): void {
  if (!Deno.stderr.isTerminal()) return;
  const { columns } = Deno.consoleSize();
  const names = running.map(nameOf).join(", ");
  const line = running.length > 0 ? t("doctor.running", { names }) : "";
  Deno.stderr.writeSync(encoder.encode(`\r\x1b[2K${line.slice(0, columns - 1)}`));
}

const nameOf = (check: CheckName): string => t(`doctor.check.${check}`);

const asJson = ({ at, level, results }: Report) => ({
  at,
  level,
  checks: results.flatMap(({ check, findings }) =>
    findings.map(({ level, found, next }) => ({
      check,
      level,
      found: tell(found, t),
      next: next && tell(next, t),
    }))
  ),
});

/** Returns a line for each finding, with what to do next below it. */
function asText(report: Report): string {
  const lines = report.results.flatMap(({ check, findings }) =>
    findings.flatMap(({ level, found, next }) => [
      [t(`doctor.level.${level}`), nameOf(check), tell(found, t)],
      ...next ? [["", "", tell(next, t)]] : [],
    ])
  );
  const [level, name] = [0, 1].map((n) => Math.max(...lines.map((line) => line[n].length)));
  return [
    ...lines.map((line) => `${line[0].padEnd(level)}  ${line[1].padEnd(name)}  ${line[2]}`),
    "",
    t(`doctor.summary.${report.level}`),
  ].join("\n");
}

try {
  await main(Deno.args);
} catch (error) {
  say(explain(error));
  Deno.exitCode = 1;
}
