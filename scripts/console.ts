const encoder = new TextEncoder();

/** Tells the person at the terminal something. */
export function say(line = ""): void {
  Deno.stdout.writeSync(encoder.encode(line + "\n"));
}

/** Rows of texts as lines, with a column as wide as its longest text. */
export function columns(rows: string[][]): string {
  const widths = rows[0].map((_, n) => Math.max(...rows.map((row) => row[n].length)));
  return rows.map((row) => row.map((text, n) => text.padEnd(widths[n])).join("  ").trimEnd())
    .join("\n");
}
