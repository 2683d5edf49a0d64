import { digest } from "../../base/version.ts";
import type { FormValues } from "./read_form.ts";
import { rowOf } from "./rows.ts";
import { userinfoOf, withUserinfo } from "../../execution/git/userinfo.ts";

/** Values that are compared and chosen as a unit: a field, or all rows of a list. */
type Units = Map<string, string>;

/** Fields that the form itself adds, as opposed to the user's input. */
export const OWN_FIELDS = /^(stored_version|secret_field|form_page|conflict|find|shown_as)(\.|$)/;

/**
 * Returns the form's units as texts. A list is one unit with a line per row, regardless of row
 * numbers.
 */
export function unitsOf(values: FormValues): Units {
  const units: Units = new Map();
  const rows = new Map<string, Map<number, string[]>>();
  const secret = new Set(secretFields(values).map(({ name }) => name));
  for (const [name, value] of Object.entries(values)) {
    const text = plain(value);
    if (OWN_FIELDS.test(name) || secret.has(name) || text === "") continue;
    const rowField = rowOf(name);
    if (!rowField) {
      units.set(name, text);
      continue;
    }
    const { list, number, member } = rowField;
    const ofList = rows.get(list) ?? new Map<number, string[]>();
    rows.set(list, ofList);
    const row = ofList.get(number) ?? [];
    ofList.set(number, row);
    row.push(member ? `${member}: ${text}` : text);
  }
  for (const [list, ofList] of rows) {
    const sorted = [...ofList].toSorted(([a], [b]) => a - b).map(([, row]) => row.toSorted());
    units.set(list, sorted.map((row) => row.join(", ")).join("\n"));
  }
  return units;
}

/** Normalizes text because browsers change line ends and most fields are trimmed. */
function plain(text: string): string {
  const trimmed = text.replaceAll(/\r\n?/g, "\n").trim();
  return trimmed === "false" ? "" : trimmed;
}

/** Returns the values with one unit replaced by its values in another form. */
export function withUnit(values: FormValues, unit: string, from: FormValues): FormValues {
  const isOther = ([name]: [string, string]) => name !== unit && rowOf(name)?.list !== unit;
  const isOf = (entry: [string, string]) => !isOther(entry);
  return Object.fromEntries([
    ...Object.entries(values).filter(isOther),
    ...Object.entries(from).filter(isOf),
  ]);
}

const DIGEST_LENGTH = 6;

/** Returns a short digest of each unit, which detects changes. */
export const digestsOf = (units: Units): string =>
  [...units].map(([unit, text]) => `${unit}=${digestOf(text)}`).join(";");

export const digestOf = (text: string): string => digest(text, DIGEST_LENGTH);

/**
 * Returns a function that checks whether a unit still has its digest. A unit without a digest was
 * blank.
 */
export function unchanged(digests: string): (unit: string, text: string) => boolean {
  const known = new Map(
    digests.split(";").map((entry) => entry.split("=", 2) as [string, string]),
  );
  return (unit, text) => (text === "" ? undefined : digestOf(text)) === known.get(unit);
}

interface SecretField {
  name: string;
  label: string;
}

/**
 * Returns the fields that hold secrets, as listed by the form itself. Each field that never shows
 * its value again adds its name and label to the form. See `SecretFieldMarker` in
 * `components/ui/forms/Field.tsx`.
 */
function secretFields(values: FormValues): SecretField[] {
  const marks = Object.entries(values).filter(([name]) => /^secret_field(\.\d+)?$/.test(name));
  return marks.map(([, mark]) => {
    const [name] = mark.split(":", 1);
    return { name, label: mark.slice(name.length + 1) };
  });
}

/**
 * Returns the values without secrets, and the fields that contained some. Logins and passwords in
 * URLs are removed as well.
 */
export function withoutSecrets(
  typed: FormValues,
): { values: FormValues; secrets: SecretField[] } {
  const marked = secretFields(typed);
  const names = new Set(marked.map(({ name }) => name));
  const secrets = marked.filter(({ name }) => typed[name]);
  const values: FormValues = {};
  for (const [name, value] of Object.entries(typed)) {
    if (names.has(name) || /^secret_field(\.|$)/.test(name)) continue;
    const url = value.trim();
    const hasLogin = userinfoOf(url) !== null;
    if (hasLogin) secrets.push({ name, label: "" });
    values[name] = hasLogin ? withUserinfo(url, null) : value;
  }
  return { values, secrets };
}
