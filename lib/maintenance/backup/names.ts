/** A row's name in a file, and the row's own where another row has it too. */
export interface NameInFile {
  name: string;
  original_name?: string;
}

/** A name for each row: those that are there twice get a number, since references are names. */
export function uniqueNames(
  rows: readonly { id: number; name: string }[],
): Map<number, NameInFile> {
  const taken = new Set(rows.map(({ name }) => name));
  const used = new Set<string>();
  const names = new Map<number, NameInFile>();
  /** The last number that each name was given. */
  const counts = new Map<string, number>();
  const numbered = (name: string): string => {
    for (let n = (counts.get(name) ?? 1) + 1;; n++) {
      const candidate = `${name} (${n})`;
      if (taken.has(candidate)) continue;
      counts.set(name, n);
      return candidate;
    }
  };
  for (const { id, name } of rows) {
    const unique = used.has(name) ? numbered(name) : name;
    taken.add(unique);
    used.add(unique);
    names.set(id, unique === name ? { name } : { name: unique, original_name: name });
  }
  return names;
}
