import { lostLines, stderrLog } from "../lib/base/log.ts";
import { visible } from "../lib/i18n/visible.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import type { FirstAdmin } from "../lib/people/accounts/first_admin.ts";

const encoder = new TextEncoder();

/**
 * Prints a line for the person at the terminal, with characters escaped that could change its look.
 */
export function say(line = ""): void {
  try {
    Deno.stdout.writeSync(encoder.encode(visible(line) + "\n"));
  } catch {
    // The disk is full, or no one reads it any more. A server still has to end its tasks.
    lostLines.add();
  }
}

/** Logs a sentence for the person who runs a server, a runner or their setup. */
export const announce = (
  event: string,
  message: string,
  level: "info" | "warn" | "error" = "info",
): void => stderrLog(level, event, { message });

/** Prints why a command ends: as a sentence, or as a line of the log where all lines are JSON. */
export function refuse(message: string): void {
  if (Deno.env.get("CALLBOARD_LOG_FORMAT") === "json") announce("refused", message, "error");
  else say(message);
}

/**
 * Returns a name from another server on one line, so that it cannot look like further lines of
 * ours.
 */
export const oneLine = (name: string): string =>
  visible(name).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

/**
 * Returns rows of texts with each column as wide as its longest text. The first row defines the
 * number of columns.
 */
export function columns(rows: string[][]): string {
  const widths = rows[0].map((_, n) => Math.max(...rows.map((row) => row[n].length)));
  return rows.map((row) => row.map((text, n) => text.padEnd(widths[n])).join("  ").trimEnd())
    .join("\n");
}

/** Tells how the first administrator signs in, if no administrator has done so yet. */
export function printFirstAdmin(firstAdmin: FirstAdmin | null): void {
  if (!firstAdmin) return;
  const { username, password, needsLink } = firstAdmin;
  const command = operatorCommand("user first-link");
  const link = `It has no password yet. For a one-time link that sets one, run "${command}".`;
  const name = `The first administrator is "${username}".`;
  announce("first_admin", needsLink ? `${name} ${link}` : name);
  // Only a terminal gets it, because it would stay in a log.
  if (password) say(`Its password, which is not shown again: ${password}`);
}
