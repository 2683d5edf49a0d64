import type { Choice } from "./answer_types.ts";

/** Returns the lines of a text with one item per line. */
export const typedLines = (text: string): string[] =>
  text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

/** Returns the choices of a text, with lines such as "value" or "name = value". */
export const typedChoices = (text: string): Choice[] =>
  typedLines(text).map((line) => {
    const [name, value = name] = line.split(/(?<!\s)\s*=\s*(.*)/s);
    return { name, value };
  });
