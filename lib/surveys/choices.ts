import type { Sentence } from "../base/errors.ts";
import { hasMembers, scalarText } from "../base/text/exact_json.ts";
import { answerType, type Choice, listOf } from "./answer_types.ts";
import type { SurveyVar } from "./schema.ts";

/** Choices of a question that come from outside of its template. */
export interface ChoiceList {
  /** All choices, or those for each answer to an earlier question; null if none were ever read. */
  choices: Choice[] | Record<string, Choice[]> | null;
  /** Time at which they were read (RFC 3339), if they could not be read again. */
  asOf?: string;
  /** Reason why they could not be read again. */
  problem?: Sentence;
}

/** Reason for choices that no one has asked for. */
export const UNKNOWN: Sentence = { key: "errors.choices.unknown" };

/** Lists by the names of their questions. */
export type ChoiceLists = ReadonlyMap<string, ChoiceList>;

/** A question that is asked after the answers to those before it. */
export interface AskedQuestion {
  question: SurveyVar;
  /** Its choices at present; null if it has none, or if they are not known. */
  choices: Choice[] | null;
  list?: ChoiceList;
  /** The answer or else the default value; undefined for none. An empty text is an answer. */
  value: unknown;
}

/**
 * Returns an answer that was given. An empty one does not become the default: it is an empty text,
 * or none of several choices. Where neither is valid, it means that there is no answer.
 */
function givenAnswer({ type }: SurveyVar, value: unknown): unknown {
  if (value !== "") return value;
  const kind = answerType(type);
  return kind === "select" ? [] : kind === "" || kind === "text" ? "" : undefined;
}

/** Whether the choices of a question come from outside of its template. */
export const hasSource = ({ type, choices_from }: SurveyVar): boolean =>
  ["host", "group"].includes(answerType(type)) || choices_from !== undefined;

/** Whether the choices of a question are hosts or groups of the task's inventory. */
export const isOfInventory = ({ type, choices_from }: SurveyVar): boolean =>
  ["host", "group"].includes(answerType(type)) ||
  ["hosts", "groups"].includes(choices_from?.source ?? "");

/** Returns the questions that are asked with these answers, with their choices, in order. */
export function askedQuestions(
  survey: readonly SurveyVar[],
  lists: ChoiceLists,
  given: Record<string, unknown>,
): AskedQuestion[] {
  const earlier = new Map<string, string[]>();
  const asked: AskedQuestion[] = [];
  for (const question of survey) {
    const { name, only_if } = question;
    if (only_if && !earlier.get(only_if.name)?.some((text) => only_if.values.includes(text))) {
      continue;
    }
    const list = hasSource(question) ? lists.get(name) ?? { choices: null } : undefined;
    const choices = offered(question, list, earlier);
    const sent = Object.hasOwn(given, name) ? given[name] : undefined;
    const value = (sent ?? null) === null
      ? defaultOf(question, choices)
      : givenAnswer(question, sent);
    asked.push({ question, choices, ...list && { list }, value });
    earlier.set(name, textsOf(question, choices, value));
  }
  return asked;
}

function offered(
  { type, values, choices_from }: SurveyVar,
  list: ChoiceList | undefined,
  earlier: ReadonlyMap<string, string[]>,
): Choice[] | null {
  if (!list) return ["enum", "select"].includes(answerType(type)) ? values : null;
  const { choices } = list;
  if (choices === null || Array.isArray(choices)) return choices;
  const answers = earlier.get(choices_from?.by ?? "") ?? [];
  const found = answers.flatMap((text) => Object.hasOwn(choices, text) ? choices[text] : []);
  return [...new Map(found.map((choice) => [choice.value, choice])).values()];
}

/** Returns the default value as far as it is offered at present; undefined for none. */
function defaultOf({ default_value }: SurveyVar, choices: Choice[] | null): unknown {
  const isOffered = (text: string) => !choices || choices.some(({ value }) => value === text);
  const kept = typeof default_value === "string"
    ? isOffered(default_value) ? default_value : ""
    : default_value.filter(isOffered);
  return kept.length === 0 ? undefined : kept;
}

function textsOf({ type }: SurveyVar, choices: Choice[] | null, value: unknown): string[] {
  if (value === undefined) return [];
  if (answerType(type) !== "select") {
    const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
    // Anything else is refused as an answer.
    return hasMembers(single) ? [] : [scalarText(single)];
  }
  return listOf(value, choices && new Set(choices.map(({ value }) => value))) ?? [];
}
