import { visible, visibleParts } from "../i18n/visible.ts";
import { type Look, lookAfter, PLAIN_LOOK } from "./look.ts";
import { settledLine, settledLines } from "./settle.ts";

/** Consecutive characters with the same look. `className` is empty for plain text. */
interface AnsiSpan {
  text: string;
  className: string;
}

/** Escape sequences for colors and letter styles, the only ones in a settled line. */
// deno-lint-ignore no-control-regex -- each sequence begins with it
const COLOURS = /\x1b\[([\d;:]*)m/;
// deno-lint-ignore no-control-regex -- see above
const EACH_COLOUR = /\x1b\[[\d;:]*m/g;

/**
 * Returns the spans of a line with ANSI colors, as a terminal shows it at its end. The renderer
 * escapes the text. Characters that change the writing direction or hide text are shown as escapes.
 */
export function ansiSpans(line: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let look = PLAIN_LOOK;
  // Alternates between text and the numbers of a sequence.
  for (const [n, part] of settledLine(line).split(COLOURS).entries()) {
    if (n % 2 === 1) {
      look = lookAfter(look, part);
      continue;
    }
    const className = classNames(look);
    for (const [m, text] of visibleParts(part).entries()) {
      if (text !== "") spans.push({ text, className: m % 2 === 1 ? "log-unseen" : className });
    }
  }
  return spans;
}

/** Returns the lines as they are shown, without their colors. */
export function withoutColours(lines: string): string {
  const settled = settledLines(lines);
  return settled.includes("\x1b") ? settled.replaceAll(EACH_COLOUR, "") : settled;
}

/** Returns the line as it is shown, without its colors. */
export const plainText = (line: string): string =>
  line.includes("\x1b")
    ? ansiSpans(line).map(({ text }) => text).join("")
    : visible(settledLine(line));

const STYLE_NAMES: Record<number, string> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  9: "strike",
  21: "underline",
};
const INVERSE = 7;

function classNames({ styles, fg, bg }: Look): string {
  const [front, back] = !styles.includes(INVERSE)
    ? [colorName(fg), colorName(bg)]
    : fg === ""
    ? ["inverse", "inverse"]
    : [colorName(bg), colorName(fg)];
  return [
    ...styles.filter((style) => style !== INVERSE).map((style) => `ansi-${STYLE_NAMES[style]}`),
    front && `ansi-${front}-fg`,
    back && `ansi-${back}-bg`,
  ].filter(Boolean).join(" ");
}

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** Returns the name of a color, the closest one of sixteen; empty for none. */
function colorName(codes: string): string {
  if (codes === "") return "";
  const [code, kind, ...parts] = codes.split(";").map(Number);
  if (kind === 5) return fromPalette(parts[0] ?? 0);
  if (kind !== undefined) return nearest(parts);
  return code >= 90 ? `bright-${NAMES[code % 10]}` : NAMES[code % 10];
}

/** Returns the one of the sixteen colors that is closest to a color of the 256-color palette. */
function fromPalette(index: number): string {
  if (index < 16) return `${index > 7 ? "bright-" : ""}${NAMES[index % 8]}`;
  if (index >= 232) return index < 240 ? "bright-black" : "white";
  const cube = index - 16;
  return nearest([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((n) => n * 51));
}

/**
 * Returns the one of the sixteen colors that is closest to red, green and blue values up to 255.
 */
function nearest(parts: number[]): string {
  const strongest = Math.max(...parts);
  const [red, green, blue] = parts.map((part) => part * 2 > strongest ? 1 : 0);
  return `${strongest > 3 * 51 ? "bright-" : ""}${NAMES[red + green * 2 + blue * 4]}`;
}
