import { DatabaseSync } from "node:sqlite";

/**
 * Counts the rows of each kind in a database. Keys begin with the byte 2, the kind as text, and the
 * byte 0. SQLite counts, so that memory does not depend on the number of rows.
 */
export function countKinds(path: string): Record<string, number> {
  using database = new DatabaseSync(path);
  const counts = database.prepare(
    "SELECT CAST(substr(k, 2, instr(substr(k, 2), x'00') - 1) AS TEXT) AS kind, count(*) AS rows " +
      "FROM kv GROUP BY kind ORDER BY kind",
  ).all();
  return Object.fromEntries(counts.map(({ kind, rows }) => [String(kind), Number(rows)]));
}

/** Returns the first kind of rows whose number is another one; null if there is none. */
export function differingKind(
  expected: Record<string, number>,
  found: Record<string, number>,
): string | null {
  const kinds = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...kinds].find((kind) => expected[kind] !== found[kind]) ?? null;
}
