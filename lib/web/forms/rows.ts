import type { FormValues } from "./read_form.ts";

/** A field of a row of a list: "vaults.3.name", or only the row: "tags.3". */
const ROW = /^([^.]+)\.(\d{1,6})(?:\.(.+))?$/;

interface RowField {
  list: string;
  number: number;
  member?: string;
}

/** Which row of which list a field is of, and what it is called there; null for any other field. */
export function rowOf(name: string): RowField | null {
  const match = ROW.exec(name);
  return match && { list: match[1], number: Number(match[2]), member: match[3] };
}

/** The numbers under which a form holds rows of a list, in order. */
export const rowNumbers = (values: FormValues, list: string): number[] =>
  numbersOf(rowFields(values).filter((row) => row.list === list));

const rowFields = (values: FormValues): RowField[] =>
  Object.keys(values).flatMap((name) => rowOf(name) ?? []);

const numbersOf = (rows: RowField[]): number[] =>
  [...new Set(rows.map(({ number }) => number))].toSorted((a, b) => a - b);

/** Value of the button that adds a blank row to a list, and of those that take one away. */
export const ADD_ROW = "add";
export const removeRow = (number: number): string => `remove.${number}`;

/** What the form shows after one of these buttons. A blank row has an empty `member`. */
export function withRows(
  values: FormValues,
  list: string,
  button: string,
  member: string,
): FormValues {
  if (button === ADD_ROW) {
    const next = (rowNumbers(values, list).at(-1) ?? -1) + 1;
    return { ...values, [`${list}.${next}.${member}`]: "" };
  }
  return withoutRows(values, list, (number) => removeRow(number) === button);
}

/** The values without those rows of a list that say nothing. */
export function withoutBlankRows(values: FormValues, list: string): FormValues {
  const said = Object.entries(values).filter(([, text]) => text.trim() !== "");
  const filled = new Set(rowNumbers(Object.fromEntries(said), list));
  return withoutRows(values, list, (number) => !filled.has(number));
}

const withoutRows = (values: FormValues, list: string, goes: (number: number) => boolean) =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const row = rowOf(name);
      return row?.list !== list || !goes(row.number);
    }),
  );

/** The values with the rows of each list numbered from 0, as what is wrong with them is: see `treeOf`. */
export function withoutGaps(values: FormValues): FormValues {
  const lists = Map.groupBy(rowFields(values), ({ list }) => list);
  const places = new Map(
    [...lists].flatMap(([list, rows]) =>
      numbersOf(rows).map((number, n) => [`${list}.${number}`, n])
    ),
  );
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const row = rowOf(name);
      if (!row) return [name, value];
      const { list, number, member } = row;
      const renamed = `${list}.${places.get(`${list}.${number}`)}`;
      return [member === undefined ? renamed : `${renamed}.${member}`, value];
    }),
  );
}
