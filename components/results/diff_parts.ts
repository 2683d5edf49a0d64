type LineStyle = "file" | "place" | "added" | "removed" | "same";

/** Consecutive lines of a diff of the same kind, with their line breaks. */
interface DiffPart {
  look: LineStyle;
  text: string;
}

const STYLES: Record<string, LineStyle> = { "+": "added", "-": "removed", "@": "place" };

/** Splits a diff by the kind of its lines. */
export function diffParts(diff: string): DiffPart[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const parts: { look: LineStyle; lines: string[] }[] = [];
  for (const [n, line] of lines.entries()) {
    const look = isFile(lines, n) || isFile(lines, n - 1) ? "file" : STYLES[line[0]] ?? "same";
    const last = parts.at(-1);
    if (last?.look === look) last.lines.push(line);
    else parts.push({ look, lines: [line] });
  }
  return parts.map(({ look, lines }) => ({ look, text: `${lines.join("\n")}\n` }));
}

/** Limits for a change that is shown among others. */
const SHOWN_LENGTH_MAX = 8_000;
const SHOWN_LINES_MAX = 200;

/** Returns the first lines of a diff, or all of a short one, for a list of changes. */
export function diffBeginning(diff: string): string {
  let end = 0;
  for (let lines = 0; lines < SHOWN_LINES_MAX && end < diff.length; lines++) {
    const next = diff.indexOf("\n", end) + 1 || diff.length;
    if (next > SHOWN_LENGTH_MAX) {
      return end > 0 ? diff.slice(0, end) : diff.slice(0, SHOWN_LENGTH_MAX);
    }
    end = next;
  }
  return diff.slice(0, end);
}

/** Whether a file header begins at line `n`. A removed line "-- x" looks like its first line. */
const isFile = (lines: string[], n: number): boolean =>
  (lines[n]?.startsWith("--- ") && lines[n + 1]?.startsWith("+++ ") &&
    lines[n + 2]?.startsWith("@@ ")) ?? false;

export function diffFiles(diff: string): string[] {
  const lines = diff.split("\n");
  const named = lines.flatMap((line, n) => isFile(lines, n) ? [line.slice(4).trim()] : []);
  return [...new Set(named)].filter((name) => name !== "");
}

/** Counts the lines that a diff adds and removes. */
export function diffCounts(diff: string): { added: number; removed: number } {
  const count = (look: LineStyle) =>
    diffParts(diff).reduce(
      (sum, part) => sum + (part.look === look ? part.text.split("\n").length - 1 : 0),
      0,
    );
  return { added: count("added"), removed: count("removed") };
}
