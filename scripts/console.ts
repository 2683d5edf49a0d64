import { visible } from "../lib/i18n/visible.ts";

const encoder = new TextEncoder();

/** Tells the person at the terminal something; what could change how it looks is shown by escapes. */
export function say(line = ""): void {
  Deno.stdout.writeSync(encoder.encode(visible(line) + "\n"));
}

/** A name of another server, on one line: it must not look like more lines of ours. */
export const oneLine = (name: string): string =>
  visible(name).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
