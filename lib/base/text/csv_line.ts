type Cell = string | number | boolean | null;

/** Returns a line of CSV (RFC 4180). */
export const csvLine = (values: readonly Cell[]): string => `${values.map(cell).join(",")}\r\n`;

/** Spreadsheets would calculate a text that begins like a formula. */
function cell(value: Cell): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
