import { onceFor } from "../base/once_for.ts";
import type { Language } from "./catalogs.ts";

/** Collators are slow to create and never change, so there is one per language. */
const collators = new Map<Language, Intl.Collator>();

/** Returns a comparison of names in the reader's order, which puts "Web 2" before "Web 10". */
export function byName(language: Language): (a: string, b: string) => number {
  const collator = collators.get(language) ?? new Intl.Collator(language, { numeric: true });
  collators.set(language, collator);
  return collator.compare;
}

/** Sorts objects by name. */
export function sortByName<T extends { name: string }>(
  language: Language,
  rows: readonly T[],
): T[] {
  const compare = byName(language);
  return rows.toSorted((a, b) => compare(a.name, b.name));
}

/**
 * Returns the same function as `make`, which computes a result once for an array and a language,
 * because sorting thousands of names takes long. Callers must change neither the array nor the
 * result.
 */
export function oncePerLanguage<Row, Made>(
  make: (language: Language, rows: readonly Row[]) => Made,
): (language: Language, rows: readonly Row[]) => Made {
  const madeOf = onceFor((_rows: readonly Row[]) => new Map<Language, { value: Made }>());
  return (language, rows) => {
    const made = madeOf(rows);
    const known = made.get(language) ?? { value: make(language, rows) };
    made.set(language, known);
    return known.value;
  };
}
