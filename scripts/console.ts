import { visible } from "../lib/i18n/visible.ts";

const encoder = new TextEncoder();

/**
 * Prints a line for the person at the terminal, with characters escaped that could change its look.
 */
export function say(line = ""): void {
  Deno.stdout.writeSync(encoder.encode(visible(line) + "\n"));
}

/**
 * Returns a name from another server on one line, so that it cannot look like further lines of
 * ours.
 */
export const oneLine = (name: string): string =>
  visible(name).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
