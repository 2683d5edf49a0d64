import { type Look, lookAfter, opening, PLAIN_LOOK } from "./look.ts";

/** Whether a text has characters or sequences that move the cursor, delete text or do not print. */
// deno-lint-ignore no-control-regex -- they are these characters
const MOVES = /[\r\x08]|\x1b(?!\[[\d;:]*m)/;

/**
 * The parts of a line: the codes of a look, a sequence of the cursor, another sequence (a link, a
 * title), a character that moves the cursor, and text.
 */
const PARTS =
  // deno-lint-ignore no-control-regex -- see above
  /\x1b\[([\d;:]*)m|\x1b\[([\d;:<=>?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b(?:\[[\d;:<=>?]*|[ -/]*[0-~]?)|([\r\x08])|[^\x1b\r\x08]+/g;

/** A character with its look. */
interface Cell {
  character: string;
  look: Look;
}

const BLANK: Cell = { character: " ", look: PLAIN_LOOK };

/**
 * Returns a line as a terminal shows it at its end. "\r" and sequences of the cursor overwrite,
 * "ESC[K" deletes, and other sequences do nothing. Looks stay. The work is linear in the line.
 */
export function settledLine(line: string): string {
  if (!MOVES.test(line)) return line;
  const cells: Cell[] = [];
  let [at, look] = [0, PLAIN_LOOK];
  for (const [part, codes, numbers, command, move] of line.matchAll(PARTS)) {
    if (codes !== undefined) look = lookAfter(look, codes);
    else if (command !== undefined) at = afterCommand(cells, at, command, Number(numbers) || 0);
    else if (move !== undefined) at = move === "\r" ? 0 : Math.max(0, at - 1);
    else if (part[0] !== "\x1b") {
      for (const character of part) cells[at++] = { character, look };
    }
  }
  return textOfCells(cells);
}

/**
 * Carries out a sequence in the line, and returns where the cursor is. Other sequences, and those
 * that lead out of the text, do nothing.
 */
function afterCommand(cells: Cell[], at: number, command: string, n: number): number {
  const { length } = cells;
  const within = (to: number) => Math.max(0, Math.min(to, Math.max(at, length)));
  const isAll = n === 2 || (n === 1 && at >= length);
  if (command === "K" && isAll) cells.length = 0;
  if (command === "K" && n === 0) cells.length = Math.min(length, at);
  if (command === "G") return within((n || 1) - 1);
  if (command === "C") return within(at + (n || 1));
  return command === "D" ? within(at - (n || 1)) : at;
}

function textOfCells(cells: Cell[]): string {
  const texts: string[] = [];
  let last = PLAIN_LOOK;
  // Places that nothing was written to are blank.
  for (const { character, look } of Array.from(cells, (cell) => cell ?? BLANK)) {
    if (look !== last) texts.push(opening(last = look));
    texts.push(character);
  }
  return texts.join("");
}

/** Returns lines, each as a terminal shows it at its end. */
export const settledLines = (lines: string): string =>
  MOVES.test(lines) ? lines.split("\n").map(settledLine).join("\n") : lines;
