/** Rows of texts, each column as wide as its longest; the first row tells how many there are. */
export function columns(rows: string[][]): string {
  const widths = rows[0].map((_, n) => Math.max(...rows.map((row) => row[n].length)));
  return rows.map((row) => row.map((text, n) => text.padEnd(widths[n])).join("  ").trimEnd())
    .join("\n");
}
