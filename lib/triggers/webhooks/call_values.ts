import { AppError } from "../../base/errors.ts";
import { answerType } from "../../surveys/answer_types.ts";
import type { SurveyVar } from "../../surveys/schema.ts";
import type { IntegrationRow } from "../integrations/schema.ts";
import {
  type ExtractValue,
  isFlag,
  isOfTask,
  isTaskValue,
  readFlag,
} from "../integrations/rule_schemas.ts";
import { type Incoming, jsonText, readValue } from "./incoming.ts";

/**
 * Returns the variables that a call sets, by name: answers to `survey` in the type of their
 * question, and others in the type of the call. A missing one has its default value, if any.
 */
export function callVariables(
  call: Incoming,
  values: ExtractValue[],
  survey: readonly SurveyVar[],
): [string, unknown][] {
  const questions = new Map(survey.map((question) => [question.name, question]));
  return values.filter((value) => !isOfTask(value)).flatMap((value) => {
    const sent = readValue(call, value) ?? (value.default_value || undefined);
    if (sent === undefined) return [];
    const question = questions.get(value.variable);
    return [
      [value.variable, question ? answerOf(question, sent) : plain(sent)] as [string, unknown],
    ];
  });
}

const answerOf = ({ type }: SurveyVar, value: unknown): unknown =>
  answerType(type) === "select" && Array.isArray(value) ? value.map(jsonText) : jsonText(value);

/** Returns a value, or its text if it has Ansible's own JSON notation, as for encrypted texts. */
function plain(value: unknown): unknown {
  const text = jsonText(value);
  return typeof value === "object" && /"__ansible_\w+":/.test(text) ? text : value;
}

/**
 * Returns the input for starting the task, or the run of a workflow: what the integration always
 * sends, and what the call says. Throws 422 if the call lacks a value that the integration takes
 * from it, because the task would run on more than was meant.
 */
export function startValues(
  call: Incoming,
  { task_params, values, workflow_id }: IntegrationRow,
): Record<string, unknown> {
  const input: Record<string, unknown> = { ...task_params };
  const params: Record<string, unknown> = { ...input.params as object | null | undefined };
  for (const value of values.filter(isOfTask)) {
    const { variable: name } = value;
    if (!isTaskValue(name) || workflow_id && name !== "message") {
      throw new AppError(422, "errors.webhooks.unknown_value", { name });
    }
    const sent = taskValue(value, readValue(call, value)) ?? taskValue(value, value.default_value);
    if (sent === undefined) {
      // The integration's own value is a default, too.
      if (taskValue(value, input[name] || params[name] || undefined) !== undefined) continue;
      const { key, value_source } = value;
      const of = value_source === "header" ? "header" : key === "" ? "body" : "member";
      throw new AppError(422, `errors.webhooks.no_${of}`, { name, path: key });
    }
    input[name] = sent;
    delete params[name];
  }
  return { ...input, params };
}

/** Returns a value as the task takes it; undefined for a blank one. Throws 422 for a wrong type. */
function taskValue({ variable: name }: ExtractValue, value: unknown): unknown {
  const wrong = (expected: "flag" | "text") =>
    new AppError(422, `errors.webhooks.not_${expected}`, { name });
  if (value === undefined || isBlank(value)) return undefined;
  if (isFlag(name)) {
    const flag = readFlag(jsonText(value));
    if (flag === null) throw wrong("flag");
    return flag;
  }
  const parts = Array.isArray(value) ? value : [value];
  const isList = ["limit", "tags", "skip_tags"].includes(name);
  if (parts !== value || isList) {
    const texts = parts.map(jsonText);
    const isText = parts.every((part) => typeof part === "string" || /^-?\d/.test(jsonText(part)));
    if (isText && texts.every((text) => !isBlank(text))) return isList ? texts.join(",") : texts[0];
  }
  throw wrong("text");
}

const isBlank = (value: unknown): boolean =>
  typeof value === "string" ? /^[\s,]*$/.test(value) : Array.isArray(value) && value.every(isBlank);
