import { hasNul } from "../base/control.ts";

/** What is wrong with a text as the answer to a question. */
export type AnswerProblem = "nul" | "integer" | "choice";

/** The kind of answer that a question takes: clients have two names for two of them. */
export const answerType = (type: string): string =>
  type === "string" ? "" : type === "integer" ? "int" : type;

interface Question {
  type: string;
  values: { value: string }[];
}

/** The one rule for answers and for defaults, which are answers that nobody had to give. */
export function answerProblem({ type, values }: Question, text: string): AnswerProblem | null {
  if (hasNul(text)) return "nul";
  if (answerType(type) === "int") {
    return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? null : "integer";
  }
  if (type === "enum") return values.some(({ value }) => value === text) ? null : "choice";
  return null;
}
