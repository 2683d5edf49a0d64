import type { FormValues } from "./read_form.ts";

/** Matches a field of a list's row, "vaults.3.name", or a row that is a single field, "tags.3". */
const ROW = /^([^.]+)\.(\d{1,6})(?:\.(.+))?$/;

interface RowField {
  list: string;
  number: number;
  member?: string;
}

/** Returns the list, row number and member of a field; null if it does not belong to a list. */
export function rowOf(name: string): RowField | null {
  const match = ROW.exec(name);
  return match && { list: match[1], number: Number(match[2]), member: match[3] };
}

/** Returns the numbers of a list's rows in a form, in order. */
export const rowNumbers = (values: FormValues, list: string): number[] =>
  numbersOf(rowFields(values).filter((row) => row.list === list));

const rowFields = (values: FormValues): RowField[] =>
  Object.keys(values).flatMap((name) => rowOf(name) ?? []);

const numbersOf = (rows: RowField[]): number[] =>
  [...new Set(rows.map(({ number }) => number))].toSorted((a, b) => a - b);

/**
 * Value of the button that adds a blank row to a list. `removeRow` is for those that remove one.
 */
export const ADD_ROW = "add";
export const removeRow = (number: number): string => `remove.${number}`;

/** Value of the button that moves a row up or down. */
export const moveRow = (number: number, step: 1 | -1): string =>
  `${step < 0 ? "up" : "down"}.${number}`;

/** Returns the values after one of these buttons was pressed. A blank row has an empty `member`. */
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
  const numbers = rowNumbers(values, list);
  for (const [n, number] of numbers.entries()) {
    if (button === moveRow(number, 1)) return withSwapped(values, list, number, numbers[n + 1]);
    if (button === moveRow(number, -1)) return withSwapped(values, list, number, numbers[n - 1]);
  }
  return withoutRows(values, list, (number) => removeRow(number) === button);
}

/** Returns the values with two rows in each other's place. */
function withSwapped(values: FormValues, list: string, one: number, other = one): FormValues {
  const places = new Map([[one, other], [other, one]]);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const row = rowOf(name);
      const place = row?.list === list ? places.get(row.number) : undefined;
      if (!row || place === undefined) return [name, value];
      return [[list, place, row.member].filter((part) => part !== undefined).join("."), value];
    }),
  );
}

/** Returns the values without the blank rows of a list. */
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

/**
 * Returns the values with the rows of each list numbered from 0, as in the errors of a schema. See
 * `treeOf`.
 */
export function withoutGaps(values: FormValues): FormValues {
  const lists = Map.groupBy(rowFields(values), ({ list }) => list);
  const numbers = new Map(
    [...lists].flatMap(([list, rows]) =>
      numbersOf(rows).map((number, n) => [`${list}.${number}`, n])
    ),
  );
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const row = rowOf(name);
      if (!row) return [name, value];
      const { list, number, member } = row;
      const renamed = `${list}.${numbers.get(`${list}.${number}`)}`;
      return [member === undefined ? renamed : `${renamed}.${member}`, value];
    }),
  );
}
