import { digest } from "../../base/version.ts";
import type { FormValues } from "./read_form.ts";
import { rowOf } from "./rows.ts";
import { secretFields } from "./secret_fields.ts";

/** Values that are compared and chosen as a unit: a field, or all rows of a list. */
type Units = Map<string, string>;

/** Fields that the form itself adds, as opposed to the user's input. */
export const OWN_FIELDS = /^(stored_version|secret_field|form_page|conflict)(\.|$)/;

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
    const place = rowOf(name);
    if (!place) {
      units.set(name, text);
      continue;
    }
    const { list, number, member } = place;
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
