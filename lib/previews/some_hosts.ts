/** Hosts that are named of a change. */
const NAMED_MAX = 100;
const { compare } = new Intl.Collator("en", { numeric: true });

/** The first of the names, and how many there are besides. */
export const someHosts = (names: string[], more = 0): { hosts: string[]; more: number } => ({
  hosts: names.toSorted(compare).slice(0, NAMED_MAX),
  more: more + Math.max(0, names.length - NAMED_MAX),
});
