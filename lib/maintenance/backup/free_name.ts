/** Letters of a project's name. */
export const NAME_LENGTH_MAX = 200;

/** `name`, or where it is taken, `name (2)` and so on: two projects in a menu are told apart. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2;; n++) {
    const end = ` (${n})`;
    const numbered = name.slice(0, NAME_LENGTH_MAX - end.length) + end;
    if (!taken.has(numbered)) return numbered;
  }
}
