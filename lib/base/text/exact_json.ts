/**
 * Numbers of JSON keep their digits. `{"id": 1198765432101234567}` reached the play as `…700`,
 * `1e400` as null and `1.0` as 1, because variables were parsed on their way. Python keeps all
 * three. So what people, clients and modules send is parsed here. In bodies of the API, only values
 * whose schema takes anything keep their digits.
 *
 * Such a number is a value of `JSON.rawJSON`, so values pass through merging, masking, sealing and
 * storing without further code. `typeof` says "object" of it: code that walks over values asks
 * `hasMembers`. `lossless-json` was rejected: its numbers are objects of a class that only its own
 * `stringify` writes, and it is many times slower. So were texts of variables that are joined for
 * Ansible: merging and types of questions need values.
 *
 * JavaScript moves names such as "10" to the front of an object. Variables of an environment with
 * such a name go to the play as their own text (`memberTexts`).
 */

/**
 * A number of JSON that JavaScript would write in another way, such as 12345678901234567890, 1.0 or
 * 1e400. `JSON.stringify` writes its text unchanged. The store refuses it as a value.
 */
interface ExactNumber {
  readonly rawJSON: string;
}

/** Parts of JSON that TypeScript's library does not know yet. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
};

/**
 * Finds every number that JavaScript might write in another way. Calling a function for each value
 * takes much longer than parsing, so it is left out for texts without such a number.
 */
const MAY_CHANGE =
  /(?:^|[:,[\s])-?(?:(?<=-)0(?![\d.])|0\.0{6}|[\d.]{16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?!\d))/;

/** Levels of lists and objects in the values of a play. Ansible 2.14 fails at 500. */
export const JSON_DEPTH_MAX = 200;

/**
 * Parses JSON, and keeps each number as it is written. `read` may replace values, members first.
 * Throws as `JSON.parse` does.
 */
export function parseExact(text: string, read?: (value: unknown) => unknown): unknown {
  if (!MAY_CHANGE.test(text)) return JSON.parse(text, read && ((_, value) => read(value)));
  const revive = (_: string, value: unknown, context?: { source: string }) => {
    const isChanged = typeof value === "number" && String(value) !== context!.source;
    return isChanged ? exactNumber(context!.source) : read ? read(value) : value;
  };
  return JSON.parse(text, revive);
}

/**
 * Returns the JSON of each member of an object as it is written, by name. `text` must be the valid
 * JSON of an object.
 */
export function memberTexts(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let [depth, from, name] = [0, 0, ""];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth === 1 && token === ":") from = index + 1;
    else if (from === 0 && depth === 1 && token.startsWith('"')) name = JSON.parse(token);
    else if (from > 0 && (depth === 0 || depth === 1 && token === ",")) {
      members.set(name, text.slice(from, index).trim());
      from = 0;
    }
  }
  return members;
}

/** A text, or a sign that is not part of one. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"]/g;

/** Returns a number with exactly these digits. */
export const exactNumber = (text: string): unknown => json.rawJSON(text);

export const isExactNumber = (value: unknown): value is ExactNumber => json.isRawJSON(value);

/** Whether a value is a list or an object. */
export const hasMembers = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !isExactNumber(value);

/** Returns a text, number or boolean as text, with the digits of a number as they were written. */
export const scalarText = (value: unknown): string =>
  isExactNumber(value) ? value.rawJSON : String(value);

/** Returns JSON values with the numbers of JavaScript, for members that are stored as values. */
export const withPlainNumbers = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** Whether lists and objects are nested deeper than `JSON_DEPTH_MAX`. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(hasMembers);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === JSON_DEPTH_MAX) return true;
    level = level.flatMap((part) => Object.values(part)).filter(hasMembers);
  }
  return false;
}
