import { hasNul } from "../base/control.ts";

/** A problem with a text as the answer to a question. */
export type AnswerProblem = "nul" | "integer" | "choice";

/** The type of a question's answers. Clients have two names for two of the types. */
export const answerType = (type: string): string =>
  type === "string" ? "" : type === "integer" ? "int" : type;

interface Question {
  type: string;
  values: { value: string }[];
}

/** Checks an answer or a default value. The same rule applies to both. */
export function answerProblem({ type, values }: Question, text: string): AnswerProblem | null {
  if (hasNul(text)) return "nul";
  if (answerType(type) === "int") {
    return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? null : "integer";
  }
  if (type === "enum") return values.some(({ value }) => value === text) ? null : "choice";
  return null;
}
