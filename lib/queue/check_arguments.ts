import { invalidField } from "../base/errors.ts";
import type { TemplateRow } from "../templates/schema.ts";
import type { TaskParams } from "../templates/params.ts";
import { optionNames, readTaskArguments } from "./arguments.ts";
import { parseStrings } from "../tasks/start_form.ts";

/** Options that would override the template's own, and the template's setting that allows it. */
const OVERRULING: [name: string, own: (params: TaskParams) => string[], may: keyof TaskParams][] = [
  ["limit", ({ limit = [] }) => limit, "allow_override_limit"],
  ["tags", ({ tags = [] }) => tags, "allow_override_tags"],
  ["start-at-task", () => [], ""],
];

/**
 * Checks arguments of a person who may only run tasks. Throws 400 for arguments that the template
 * does not allow.
 */
export function checkTaskArguments(template: TemplateRow, text: string): void {
  const words = parseStrings(text) ?? [];
  const { variables } = readTaskArguments(words);
  const given = optionNames(words)!;
  const own = optionNames(parseStrings(template.arguments ?? "[]") ?? []);
  const params = template.task_params ?? {};
  const refuse = (key: string, data: Record<string, string>) =>
    invalidField("arguments", key, data);
  for (const [name, ownOf, may] of OVERRULING) {
    const isSet = ownOf(params).length > 0 || own === null || own.has(name);
    if (given.has(name) && isSet && params[may] !== true) {
      throw refuse("errors.arguments.set_by_template", { option: `--${name}` });
    }
  }
  if (given.has("verbose") && params.allow_debug === false) {
    throw refuse("errors.arguments.set_by_template", { option: "--verbose" });
  }
  const answer = template.survey_vars.find(({ name }) => Object.hasOwn(variables, name));
  if (answer) throw refuse("errors.arguments.is_answer", { name: answer.name });
}
