import type { CheckName, Report } from "../lib/monitoring/checks/checks.ts";
import { tell } from "../lib/i18n/tell.ts";
import { translator } from "../lib/i18n/translate.ts";

const t = translator("en");
const encoder = new TextEncoder();

const nameOf = (check: CheckName): string => t(`doctor.check.${check}`);

/** Shows the checks that still run in one line of a terminal, and removes it at the end. */
export function showProgress(running: readonly CheckName[]): void {
  if (!Deno.stderr.isTerminal()) return;
  const { columns } = Deno.consoleSize();
  const names = running.map(nameOf).join(", ");
  const line = running.length > 0 ? t("doctor.running", { names }) : "";
  Deno.stderr.writeSync(encoder.encode(`\r\x1b[2K${line.slice(0, columns - 1)}`));
}

/** Returns a line for each finding, with what to do next below it. */
export function asText(report: Report): string {
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
