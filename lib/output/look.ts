/** The colors and letter styles of a text, as the codes of a terminal. */
export interface Look {
  /** Letter styles, such as 1 for bold. */
  styles: readonly number[];
  /** Colors of text and background, such as "31", "38;5;196" and "38;2;255;0;0"; empty for none. */
  fg: string;
  bg: string;
}

export const PLAIN_LOOK: Look = { styles: [], fg: "", bg: "" };

/** Sequences that change the look, with their codes. */
// deno-lint-ignore no-control-regex -- each sequence begins with it
const SEQUENCE = /\x1b\[([\d;:]*)m/g;

/** Codes of letter styles, by the code that ends them. */
const ENDS: Record<number, readonly number[]> = {
  22: [1, 2],
  23: [3],
  24: [4, 21],
  27: [7],
  29: [9],
};
const STYLES = new Set(Object.values(ENDS).flat());

/**
 * Returns the look after a sequence of codes. Unknown codes, such as those for blinking or hidden
 * text, have no effect.
 */
export function lookAfter(before: Look, sequence: string): Look {
  const codes = sequence.split(/[;:]/).map(Number);
  let look = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at];
    const ground = code % 20 < 10 ? "bg" : "fg"; // 30-39 and 90-97; 40-49 and 100-107
    if (code === 0) look = PLAIN_LOOK;
    else if (STYLES.has(code)) look = { ...look, styles: [...without(look, [code]), code] };
    else if (code in ENDS) look = { ...look, styles: without(look, ENDS[code]) };
    else if (code === 38 || code === 48) {
      const length = codes[at + 1] === 5 ? 3 : 5;
      look = { ...look, [ground]: codes.slice(at, at + length).map(byteOf).join(";") };
      at += length - 1;
    } else if (code === 39 || code === 49) look = { ...look, [ground]: "" };
    else if (code >= 30 && code < 48 || code >= 90 && code < 108) {
      look = { ...look, [ground]: String(code) };
    }
  }
  return look;
}

const without = ({ styles }: Look, ended: readonly number[]): number[] =>
  styles.filter((style) => !ended.includes(style));

const byteOf = (code: number): number => Math.min(255, code || 0);

/** Returns the look at the end of a line that begins with the look `before`. */
export function lookAtEnd(before: Look, line: string): Look {
  if (!line.includes("\x1b[")) return before;
  let look = before;
  for (const [, codes] of line.matchAll(SEQUENCE)) look = lookAfter(look, codes);
  return look;
}

/**
 * Begins the sequence that the log puts in front of a line whose look an earlier line has set, so
 * that each line can be shown alone. Two resets in a row do what one does, and no program writes
 * them. The sequence has at most 60 characters.
 */
const OPENING = "\x1b[;;";
// deno-lint-ignore no-control-regex -- see above
const WHOLE_OPENING = /^\x1b\[;;[\d;]*m/;

/** Returns the sequence that sets a look, whatever the look was. */
export const opening = ({ styles, fg, bg }: Look): string => {
  const codes = [...styles, fg, bg].filter((code) => code !== "");
  return codes.length === 0 ? "\x1b[m" : `${OPENING}${codes.join(";")}m`;
};

/** Returns a line with the look that it begins with. */
export const withOpening = (look: Look, line: string): string =>
  look.styles.length === 0 && look.fg === "" && look.bg === "" ? line : opening(look) + line;

/** Returns a line as it was written, without the look that an earlier line has set. */
export const withoutOpening = (line: string): string =>
  line.startsWith(OPENING) ? line.replace(WHOLE_OPENING, "") : line;
