import { digest } from "../../base/version.ts";
import type { FormValues } from "./read_form.ts";
import { rowOf } from "./rows.ts";
import { secretFields } from "./secret_fields.ts";

/** What of a form is compared, and chosen, as one: a field, or all rows of a list. */
type Units = Map<string, string>;

/** What a form says for itself, beside what is typed into it. */
export const OWN_FIELDS = /^(stored_version|secret_field|form_page|conflict)(\.|$)/;

/** The form's units as texts; of a list a line for each row, whatever number it has. */
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

/** A browser changes line ends, and blanks at the ends are mostly trimmed. */
function plain(text: string): string {
  const trimmed = text.replaceAll(/\r\n?/g, "\n").trim();
  return trimmed === "false" ? "" : trimmed;
}

/** The values with those of a unit as another form has them. */
export function withUnit(values: FormValues, unit: string, from: FormValues): FormValues {
  const isOther = ([name]: [string, string]) => name !== unit && rowOf(name)?.list !== unit;
  const isOf = (entry: [string, string]) => !isOther(entry);
  return Object.fromEntries([
    ...Object.entries(values).filter(isOther),
    ...Object.entries(from).filter(isOf),
  ]);
}

const DIGEST_LENGTH = 6;

/** A few letters for each unit, by which a change of it is seen. */
export const digestsOf = (units: Units): string =>
  [...units].map(([unit, text]) => `${unit}=${digestOf(text)}`).join(";");

export const digestOf = (text: string): string => digest(text, DIGEST_LENGTH);

/** Whether a unit is as it was when its digest was taken; one without a digest was blank. */
export function unchanged(digests: string): (unit: string, text: string) => boolean {
  const known = new Map(
    digests.split(";").map((entry) => entry.split("=", 2) as [string, string]),
  );
  return (unit, text) => (text === "" ? undefined : digestOf(text)) === known.get(unit);
}
