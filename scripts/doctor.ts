import { parseArgs } from "node:util";
import denoJson from "../deno.json" with { type: "json" };
import { loadConfigFile } from "../lib/base/settings/config_file.ts";
import { programVersion } from "../lib/base/machine/program_version.ts";
import { ConfigError } from "../lib/base/settings/settings.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { type Report, runChecks } from "../lib/monitoring/checks/checks.ts";
import { openLocalCheckUp } from "../lib/monitoring/checks/local_check_up.ts";
import { tell } from "../lib/i18n/tell.ts";
import { translator } from "../lib/i18n/translate.ts";
import { isOneAddress } from "../lib/people/users/schema.ts";
import { announce, say } from "./console.ts";
import { asText, showProgress } from "./doctor_report.ts";
import { explain } from "./explain.ts";

const USAGE = `Checks what this server needs, whether it is running or not. Changes nothing.

  ${operatorCommand("doctor")} [--json] [--send-to ADDRESS]

Use the account and the environment of the server. --send-to also sends a test message. The exit
code is 1 if a check has failed.`;

const t = translator("en");

async function main(args: string[]): Promise<void> {
  const options = { json: { type: "boolean" }, "send-to": { type: "string" } } as const;
  const { values: { json, "send-to": sendTo = null } } = parseArgs({ args, options });
  if (sendTo !== null && !isOneAddress(sendTo)) throw new ConfigError(USAGE);
  const file = await loadConfigFile();
  for (const { line, why } of file?.odd ?? []) {
    announce("settings_file", `${file!.path}, line ${line}: ${why}.`, "warn");
  }
  const names = Object.keys(Deno.env.toObject());
  await using checkUp = await openLocalCheckUp({ variables: Deno.env, names, sendTo });
  const report = await runChecks(checkUp, showProgress);
  const version = programVersion(denoJson.version);
  if (json) say(JSON.stringify({ version, ...asJson(report) }, null, 2));
  else say(`Callboard ${version}\n${asText(report)}`);
  Deno.exitCode = report.level === "failed" ? 1 : 0;
}

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

try {
  await main(Deno.args);
} catch (error) {
  say(explain(error));
  Deno.exitCode = 1;
}
