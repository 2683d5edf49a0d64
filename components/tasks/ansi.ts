import Anser, { type AnserJsonEntry } from "anser";

/** A run of characters of one look. `className` is empty for plain text. */
export interface AnsiSpan {
  text: string;
  className: string;
}

/** Escape sequences other than colours (cursor moves, titles): nothing to show in a log. */
const OTHER_ESCAPES = new RegExp(
  String.raw`\x1b(?:\[[0-9;?]*[A-LN-Za-ln-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9])`,
  "g",
);

/** The spans of a line with ANSI colours. Text stays text: the renderer escapes it. */
export function ansiSpans(line: string): AnsiSpan[] {
  if (!line.includes("\x1b")) return [{ text: line, className: "" }];
  return Anser.ansiToJson(line.replace(OTHER_ESCAPES, ""), { use_classes: true })
    .filter(({ content }) => content !== "")
    .map((entry) => ({ text: entry.content, className: classNames(entry) }));
}

/** The line without any escape sequence. */
export const plainText = (line: string): string =>
  Anser.ansiToText(line.replace(OTHER_ESCAPES, ""));

function classNames({ fg, bg, decorations }: AnserJsonEntry): string {
  const names = decorations.map((name) => `ansi-${name}`);
  if (fg) names.push(named(fg, "fg"));
  if (bg) names.push(named(bg, "bg"));
  return names.join(" ");
}

/** "ansi-bright-red" -> "ansi-bright-red-fg"; the 256 colours come as their nearest of the 16. */
function named(color: string, ground: "fg" | "bg"): string {
  const palette = /^ansi-palette-(\d+)$/.exec(color);
  return `${palette ? nearest(Number(palette[1])) : color}-${ground}`;
}

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function nearest(index: number): string {
  if (index < 16) return `ansi-${index > 7 ? "bright-" : ""}${NAMES[index % 8]}`;
  if (index >= 232) return index < 240 ? "ansi-bright-black" : "ansi-white";
  const cube = index - 16;
  const [red, green, blue] = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  const strongest = Math.max(red, green, blue);
  const bits = [red, green, blue].map((part) => part * 2 > strongest ? 1 : 0);
  const bright = strongest > 3 ? "bright-" : "";
  return `ansi-${strongest === 0 ? "" : bright}${NAMES[bits[0] + bits[1] * 2 + bits[2] * 4]}`;
}
