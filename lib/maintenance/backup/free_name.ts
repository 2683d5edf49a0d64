/** Maximum length of a project's name in characters. */
export const NAME_LENGTH_MAX = 200;

/** Returns `name`, or `name (2)` and so on if it is taken, to tell projects in a menu apart. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2;; n++) {
    const end = ` (${n})`;
    const numbered = name.slice(0, NAME_LENGTH_MAX - end.length) + end;
    if (!taken.has(numbered)) return numbered;
  }
}
