const encoder = new TextEncoder();

/** Tells the person at the terminal something. */
export function say(line = ""): void {
  Deno.stdout.writeSync(encoder.encode(line + "\n"));
}
