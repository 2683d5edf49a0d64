import { visible, visibleParts } from "../i18n/visible.ts";

/** Consecutive characters with the same look. `className` is empty for plain text. */
interface AnsiSpan {
  text: string;
  className: string;
}

/** Escape sequences for colors and letter styles, the only ones that take effect. */
// deno-lint-ignore no-control-regex -- each sequence begins with it
const COLOURS = /\x1b\[([\d;:]*)m/;
// deno-lint-ignore no-control-regex -- see above
const EACH_COLOUR = /\x1b\[[\d;:]*m/g;

interface TextStyle {
  decorations: string[];
  fg: string;
  bg: string;
}

const PLAIN: TextStyle = { decorations: [], fg: "", bg: "" };

/**
 * Returns the spans of a line with ANSI colors. The renderer escapes the text. Sequences that move
 * the cursor, set a title, change the writing direction or hide text are shown as escapes.
 */
export function ansiSpans(line: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let look = PLAIN;
  // Alternates between text and the numbers of a sequence.
  for (const [n, part] of line.split(COLOURS).entries()) {
    if (n % 2 === 1) {
      look = changed(look, part.split(/[;:]/).map(Number));
      continue;
    }
    const className = classNames(look);
    for (const [m, text] of visibleParts(part).entries()) {
      if (text !== "") spans.push({ text, className: m % 2 === 1 ? "log-unseen" : className });
    }
  }
  return spans;
}

/** Returns the lines without their colors. */
export const withoutColours = (lines: string): string =>
  lines.includes("\x1b") ? lines.replaceAll(EACH_COLOUR, "") : lines;

/** Returns the line as it is shown, without its colors. */
export const plainText = (line: string): string =>
  line.includes("\x1b") ? ansiSpans(line).map(({ text }) => text).join("") : visible(line);

const classNames = ({ decorations, fg, bg }: TextStyle): string =>
  [...decorations.map((name) => `ansi-${name}`), fg && `ansi-${fg}-fg`, bg && `ansi-${bg}-bg`]
    .filter(Boolean).join(" ");

const DECORATIONS: Record<number, string> = { 1: "bold", 2: "dim", 3: "italic", 4: "underline" };
const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/**
 * Returns the look after a sequence of codes. Unknown codes, such as those for blinking or hidden
 * text, have no effect.
 */
function changed(before: TextStyle, codes: number[]): TextStyle {
  let look = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at];
    const ground = code % 20 < 10 ? "bg" : "fg"; // 30-39 and 90-97; 40-49 and 100-107
    if (code === 0) look = PLAIN;
    else if (code in DECORATIONS) look = withDecorations(look, [DECORATIONS[code]], []);
    else if (code === 22) look = withDecorations(look, [], ["bold", "dim"]);
    else if (code === 23) look = withDecorations(look, [], ["italic"]);
    else if (code === 24) look = withDecorations(look, [], ["underline"]);
    else if (code === 38 || code === 48) {
      const isPalette = codes[at + 1] === 5;
      const color = isPalette ? fromPalette(codes[at + 2]) : nearest(codes.slice(at + 2, at + 5));
      look = { ...look, [ground]: color };
      at += isPalette ? 2 : 4;
    } else if (code === 39 || code === 49) look = { ...look, [ground]: "" };
    else if (code >= 30 && code < 48) look = { ...look, [ground]: NAMES[code % 10] };
    else if (code >= 90 && code < 108) look = { ...look, [ground]: `bright-${NAMES[code % 10]}` };
  }
  return look;
}

const withDecorations = (look: TextStyle, added: string[], removed: string[]): TextStyle => ({
  ...look,
  decorations: [
    ...look.decorations.filter((name) => !added.includes(name) && !removed.includes(name)),
    ...added,
  ],
});

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
