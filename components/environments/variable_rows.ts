import { hasControl, hasControlBesidesLines } from "../../lib/base/text/control.ts";
import { hasMembers, memberTexts, parseExact } from "../../lib/base/text/exact_json.ts";
import { parseJsonObject } from "../../lib/base/fields.ts";
import { envVariableProblem } from "../../lib/resources/environments/schema.ts";
import type { FormErrors } from "../../lib/web/forms/form.ts";
import type { FormValues } from "../../lib/web/forms/read_form.ts";
import { ADD_ROW, rowNumbers, withRows } from "../../lib/web/forms/rows.ts";

/** Fields with the JSON of variables, which people edit as rows or as text. */
const VARIABLES = ["json", "env"] as const;
export type VariablesField = (typeof VARIABLES)[number];

/** Name of the list of rows, of the field with the way of editing, and of the buttons. */
export const rowsOf = (field: VariablesField): string => `${field}_rows`;
export const shownAs = (field: VariablesField): string => `shown_as.${field}`;
export const changeOf = (field: VariablesField): string => `change_${field}`;

export const isShownAsRows = (values: FormValues, field: VariablesField): boolean =>
  values[shownAs(field)] === "rows";

/** Maximum number of rows, because a form has a limited number of fields. */
export const ROWS_MAX = 100;

/** A variable as a row shows it. The value is a text, or the JSON of any other value. */
interface Variable {
  name: string;
  value: string;
  type: "text" | "json";
}

/** Returns the variables of a JSON object as it is written; null if rows cannot show them. */
export function readVariables(text: string): Variable[] | null {
  if (text.trim() === "") return [];
  if (!parseJsonObject(text)) return null;
  const variables = [...memberTexts(text)].map(([name, member]): Variable => {
    const value: unknown = member.startsWith('"') ? JSON.parse(member) : null;
    return typeof value === "string" && isPlain(value)
      ? { name, value, type: "text" }
      : { name, value: member, type: "json" };
  });
  const fits = variables.every(({ name }) =>
    name !== "" && name === name.trim() && name.isWellFormed() && !hasControl(name)
  );
  return fits && variables.length <= ROWS_MAX ? variables : null;
}

/** Whether a text comes back from a field as it was. Browsers drop a line end at its beginning. */
const isPlain = (text: string): boolean =>
  !text.startsWith("\n") && !text.includes("\r") && !hasControlBesidesLines(text) &&
  text.isWellFormed();

/** Returns the way to edit variables at first: rows, unless a value is a list or an object. */
export const firstShown = (text: string): "rows" | "json" =>
  readVariables(text)?.every(({ value, type }) => type === "text" || !/^[[{]/.test(value))
    ? "rows"
    : "json";

/** Returns the values with rows converted to JSON. Rows with errors stay as they are. */
export const withJson = (values: FormValues): { values: FormValues; errors: FormErrors } =>
  VARIABLES.reduce((before, field) => {
    const { values, errors } = asJson(before.values, field);
    return { values, errors: { ...before.errors, ...errors } };
  }, { values, errors: {} });

/** Variables that are the same as before keep their JSON as it was written. */
function asJson(values: FormValues, field: VariablesField) {
  const rows = typedRows(values, field);
  const errors = rowErrors(rows, field);
  if (rows.length === 0 || Object.keys(errors).length > 0) return { values, errors };
  const variables = rows.map(({ variable }) => variable).filter(({ name }) => name !== "");
  const before = values[field] ?? "";
  const isSame = JSON.stringify(readVariables(before)) === JSON.stringify(variables);
  const others = Object.entries(values).filter(([name]) => !name.startsWith(`${rowsOf(field)}.`));
  const text = isSame ? before : writeVariables(variables);
  return { values: { ...Object.fromEntries(others), [field]: text }, errors };
}

interface TypedRow {
  number: number;
  variable: Variable;
}

function typedRows(values: FormValues, field: VariablesField): TypedRow[] {
  if (!isShownAsRows(values, field)) return [];
  return rowNumbers(values, rowsOf(field)).map((number) => {
    const of = (member: string) => values[`${rowsOf(field)}.${number}.${member}`] ?? "";
    const [name, value] = [of("name").trim(), of("value")];
    // The process gets each value as text, so its rows have no choice.
    const isJson = of("type") === "json" && (field === "json" || isScalar(value));
    return { number, variable: { name, value, type: isJson ? "json" : "text" } };
  });
}

function isScalar(text: string): boolean {
  const value = parsed(text);
  return value !== undefined && value !== null && !hasMembers(value);
}

/** Returns a value of JSON; undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function rowErrors(rows: TypedRow[], field: VariablesField): FormErrors {
  const seen = new Set<string>();
  const errors: FormErrors = {};
  for (const { number, variable: { name, value, type } } of rows) {
    const wrong = (member: "name" | "value", key: string) => {
      errors[`${rowsOf(field)}.${number}.${member}`] ??= { key };
    };
    if (name === "" && value.trim() !== "") wrong("name", "errors.required");
    if (name !== "" && seen.has(name)) wrong("name", "errors.environments.same_variable");
    seen.add(name);
    if (hasControl(name)) wrong("name", "errors.control_characters");
    if (name === "") continue;
    if (type === "json" && parsed(value) === undefined) {
      wrong("value", "errors.environments.value_json");
    }
    if (field !== "env") continue;
    const problem = envVariableProblem(name, value);
    if (problem) wrong(problem.at, problem.key);
  }
  return errors;
}

function writeVariables(variables: Variable[]): string {
  if (variables.length === 0) return "{}";
  const lines = variables.map(({ name, value, type }) =>
    `  ${JSON.stringify(name)}: ${type === "json" ? value.trim() : JSON.stringify(value)}`
  );
  return `{\n${lines.join(",\n")}\n}`;
}

/** Returns the values with rows for variables that are shown so, and at least a blank one. */
export function withVariableRows(values: FormValues): FormValues {
  return VARIABLES.reduce((values, field) => {
    if (!isShownAsRows(values, field) || rowNumbers(values, rowsOf(field)).length > 0) {
      return values;
    }
    const variables = readVariables(values[field] ?? "");
    if (!variables) return { ...values, [shownAs(field)]: "json" };
    const rows = variables.flatMap((variable, n) =>
      Object.entries(variable).map(([member, text]) => [`${rowsOf(field)}.${n}.${member}`, text])
    );
    return atLeastOne({ ...values, ...Object.fromEntries(rows) }, field);
  }, values);
}

const atLeastOne = (values: FormValues, field: VariablesField): FormValues =>
  rowNumbers(values, rowsOf(field)).length > 0
    ? values
    : withRows(values, rowsOf(field), ADD_ROW, "name");

/** Returns the form after a button of its variables; null if another button was pressed. */
export function afterChange(
  values: FormValues,
): { values: FormValues; errors?: FormErrors } | null {
  const field = VARIABLES.find((field) => values[changeOf(field)]);
  if (!field) return null;
  const button = values[changeOf(field)];
  if (button === "json") {
    const { values: read, errors } = asJson(values, field);
    const isRead = Object.keys(errors).length === 0;
    return isRead ? { values: { ...read, [shownAs(field)]: "json" } } : { values, errors };
  }
  if (button === "rows") {
    const text = values[field] ?? "";
    if (readVariables(text)) return { values: { ...values, [shownAs(field)]: "rows" } };
    const key = parseJsonObject(text)
      ? "errors.environments.not_rows"
      : "errors.environments.json_object";
    return { values, errors: { [field]: { key, params: { max: ROWS_MAX } } } };
  }
  const changed = withRows(withVariableRows(values), rowsOf(field), button, "name");
  return { values: atLeastOne(changed, field) };
}
