import type { Language } from "./catalogs.ts";

/** Collators are slow to make and never change: one a language. */
const collators = new Map<Language, Intl.Collator>();

/** Puts names in a reader's order, in which "Web 2" comes before "Web 10". */
export function byName(language: Language): (a: string, b: string) => number {
  const collator = collators.get(language) ?? new Intl.Collator(language, { numeric: true });
  collators.set(language, collator);
  return collator.compare;
}

/** Things in the order of their names. */
export function sortByName<T extends { name: string }>(
  language: Language,
  rows: readonly T[],
): T[] {
  const compare = byName(language);
  return rows.toSorted((a, b) => compare(a.name, b.name));
}
