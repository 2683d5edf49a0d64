import { hasNul } from "../base/text/control.ts";
import {
  exactNumber,
  hasMembers,
  isExactNumber,
  parseExact,
  scalarText,
} from "../base/text/exact_json.ts";

/** Maximum number of choices of a question. */
export const CHOICES_MAX = 1_000;

/** Places outside of a template where the choices of a question come from. */
export const CHOICE_SOURCES = ["file", "url", "hosts", "groups"] as const;

export interface Choice {
  name: string;
  value: string;
}

/** A problem with a value as the answer to a question. */
export type AnswerProblem = "nul" | "text" | "integer" | "choice" | "list";

/** Types of answers: one line, several lines, a number, one choice, several choices, and so on. */
export const ANSWER_TYPES = [
  "",
  "text",
  "int",
  "enum",
  "select",
  "host",
  "group",
  "secret",
] as const;
type AnswerType = (typeof ANSWER_TYPES)[number];

/** Other names that clients use. */
const ALIASES: ReadonlyMap<string, AnswerType> = new Map([
  ["string", ""],
  ["str", ""],
  ["integer", "int"],
]);

/** Whether a type has a meaning here. Others are stored and answered, and asked as one line. */
export const isKnownType = (type: string): boolean =>
  ALIASES.has(type) || (ANSWER_TYPES as readonly string[]).includes(type);

/** The type of a question's answers. */
export const answerType = (type: string): AnswerType =>
  ALIASES.get(type) ?? ANSWER_TYPES.find((known) => known === type) ?? "";

/**
 * Checks an answer or a default value. The same rule applies to both. `choices` is null for choices
 * that are not known, which allows any.
 */
export function answerProblem(
  type: string,
  choices: readonly Choice[] | null,
  value: unknown,
): AnswerProblem | null {
  const kind = answerType(type);
  const offered = choices && new Set(choices.map(({ value }) => value));
  const isOffered = (text: string) => !offered || offered.has(text);
  if (kind === "select") {
    const texts = listOf(value, offered);
    if (!texts) return "list";
    if (texts.some(hasNul)) return "nul";
    return texts.every(isOffered) ? null : "choice";
  }
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof single === "object" && !isExactNumber(single)) return "text";
  const text = scalarText(single);
  if (hasNul(text)) return "nul";
  if (kind === "int") return integerOf(single) === null ? "integer" : null;
  return !["enum", "host", "group"].includes(kind) || isOffered(text) ? null : "choice";
}

/**
 * Returns an integer with all its digits, as JSON writes it; null for anything else. Clients may
 * send it as a text or as a number, such as 7, 7.0 or 7e2.
 */
export function integerOf(value: unknown): unknown {
  const number = typeof value === "string" ? NaN : Number(scalarText(value));
  const text = Number.isSafeInteger(number) ? String(number) : scalarText(value);
  if (!INTEGER.test(text)) return null;
  const digits = text.replace(/^(-?)0+(?=\d)/, "$1");
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : exactNumber(digits);
}

/** Python reads no longer ones. */
const INTEGER = /^-?\d{1,4300}$/;

/**
 * Returns an answer with several choices: a list, its JSON, or one text with commas unless that is
 * a choice itself. Returns null for anything else.
 */
export function listOf(value: unknown, offered: ReadonlySet<string> | null): string[] | null {
  const list = typeof value === "string" ? listIn(value, offered) : value;
  if (!Array.isArray(list)) {
    return typeof list === "number" || isExactNumber(list) ? [scalarText(list)] : null;
  }
  if (list.some((item) => item === null || hasMembers(item))) return null;
  return [...new Set(list.map(scalarText))].filter((text) => text !== "");
}

function listIn(text: string, offered: ReadonlySet<string> | null): unknown {
  if (offered?.has(text)) return [text];
  if (text.trimStart().startsWith("[")) {
    try {
      return parseExact(text);
    } catch {
      return null;
    }
  }
  return text.split(",").map((part) => part.trim());
}
