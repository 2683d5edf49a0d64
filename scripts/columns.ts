/**
 * Returns rows of texts with each column as wide as its longest text. The first row defines the
 * number of columns.
 */
export function columns(rows: string[][]): string {
  const widths = rows[0].map((_, n) => Math.max(...rows.map((row) => row[n].length)));
  return rows.map((row) => row.map((text, n) => text.padEnd(widths[n])).join("  ").trimEnd())
    .join("\n");
}
