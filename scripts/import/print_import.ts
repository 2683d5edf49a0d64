import type { HistoryProgress, HistoryReport } from "../../lib/maintenance/semaphore/history.ts";
import type { ImportedProject } from "../../lib/maintenance/semaphore/import.ts";
import { translator } from "../../lib/i18n/translate.ts";
import { tell } from "../../lib/i18n/tell.ts";
import { oneLine, say } from "../console.ts";

/** Time between two lines about a history that is being imported. */
const PROGRESS_MS = 2_000;
/**
 * Number of reasons printed for tasks that were left out. Each failed task may have another one.
 */
const REASONS_MAX = 20;

const english = translator("en");

/** Prints the progress of a project's history from time to time. */
export function progressOf(name: string) {
  let printedAt = performance.now();
  return (progress: HistoryProgress) => {
    if (performance.now() - printedAt < PROGRESS_MS) return;
    printedAt = performance.now();
    say(`  history of ${oneLine(name)}: ${farOf(progress)}`);
  };
}

const count = (n: number) => n.toLocaleString("en");

const farOf = ({ done, total, lines }: HistoryProgress) =>
  `${count(done)} of ${count(total)} tasks, ${count(lines)} lines`;

export function printImport({ id, report, strangers, history }: ImportedProject): void {
  const counts = Object.entries(report.creates).filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${names.length} ${kind}`);
  say(`  ${id === null ? "Would create" : `Created project ${id} with`} ${counts.join(", ")}`);
  const list = (title: string, lines: string[]) => {
    if (lines.length > 0) {
      say([`  ${title}:`, ...lines.map((line) => `    ${oneLine(line)}`)].join("\n"));
    }
  };
  list(
    "Skipped",
    report.left_out.map(({ kind, name, reason }) => `${kind} "${name}": ${tell(reason, english)}`),
  );
  list(
    "Enter these secrets again",
    report.secrets.map(({ kind, name, variable }) =>
      `${kind} "${name}"${variable ? `, ${variable}` : ""}`
    ),
  );
  list(
    "Webhooks with a new address",
    report.new_aliases.map(({ alias, new_alias }) => `${alias} is now ${new_alias}`),
  );
  list("Members without an account here", strangers);
  printHistory(id, history);
}

function printHistory(id: number | null, history: HistoryReport): void {
  const { done, total, imported, lines, leftOut, failed } = history;
  if (total > 0) {
    say(
      id === null
        ? `  History: ${count(total)} tasks would be imported`
        : `  History: ${count(imported)} of ${count(total)} tasks, ${count(lines)} lines`,
    );
  }
  for (const { reason, tasks } of leftOut.slice(0, REASONS_MAX)) {
    say(`    skipped ${count(tasks)}: ${oneLine(tell(reason, english))}`);
  }
  if (leftOut.length > REASONS_MAX) say("    ...");
  if (failed === 0) return;
  if (done < total) say(`    Stopped after ${count(done)} tasks: later ones were not imported.`);
  Deno.exitCode = 1;
}
