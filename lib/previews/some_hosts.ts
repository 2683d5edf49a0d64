/** Maximum number of hosts that are named for a change. */
const NAMED_MAX = 100;
const { compare } = new Intl.Collator("en", { numeric: true });

/** Returns the first names, and the number of further ones. */
export const someHosts = (names: string[], more = 0): { hosts: string[]; more: number } => ({
  hosts: names.toSorted(compare).slice(0, NAMED_MAX),
  more: more + Math.max(0, names.length - NAMED_MAX),
});
