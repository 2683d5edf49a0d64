import type { NamedKind } from "./entries.ts";

/** A row's name in a file, and its own name if another row has the same. */
interface NameInFile {
  name: string;
  original_name?: string;
}

/** Returns a name for each row. Duplicates get a number because references are names. */
export function uniqueNames(
  rows: readonly { id: number; name: string }[],
): Map<number, NameInFile> {
  const taken = new Set(rows.map(({ name }) => name));
  const used = new Set<string>();
  const names = new Map<number, NameInFile>();
  /** Last number given to each name. */
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

/** Names in the file of the rows that others refer to, by kind and id. */
export type Names = Record<NamedKind, Map<number, NameInFile>>;

export const entryName = (names: Map<number, NameInFile>, id: number | null): string | null =>
  id === null ? null : names.get(id)!.name;

/**
 * Parameters of a start, with the inventory by name. A task to deploy belongs to the history and is
 * omitted.
 */
export function portableParams(params: Record<string, unknown> | null, names: Names) {
  if (!params) return { task_params: null, inventory: null };
  const { inventory_id, build_task_id: _, ...task_params } = params;
  return { task_params, inventory: names.inventories.get(Number(inventory_id))?.name ?? null };
}

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
