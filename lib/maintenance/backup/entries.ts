import { createPause } from "../../base/time/pause.ts";
import { AppError, invalidField, type Sentence } from "../../base/errors.ts";

/** The kinds of entries that others refer to by name. */
export type NamedKind =
  | "secret_storages"
  | "keys"
  | "environments"
  | "views"
  | "repositories"
  | "inventories"
  | "templates"
  | "workflows"
  | "alert_targets"
  | "toolchains";

/** Index of each entry by kind and name, or null for a name that several entries have. */
export type Lookup = Record<NamedKind, Map<string, number | null>>;

/** Index of each name in the list, or null for a name that occurs more than once. */
export function indexByName(names: readonly string[]): Map<string, number | null> {
  const found = new Map<string, number | null>();
  for (const [at, name] of names.entries()) found.set(name, found.has(name) ? null : at);
  return found;
}

/** Returns the index of the entry called `name`, or null without a name. Throws naming `field`. */
export function findEntry(
  lookup: Lookup,
  kind: NamedKind,
  field: string,
  name: string | null | undefined,
): number | null {
  if (name === null || name === undefined || name === "") return null;
  const at = lookup[kind].get(name);
  if (at === undefined) throw invalidField(field, "errors.restore.unknown_name", { kind, name });
  if (at === null) throw invalidField(field, "errors.restore.ambiguous_name", { kind, name });
  return at;
}

/** An entry that cannot be restored: its list in the file, its index there, and the reason. */
export interface Failure {
  list: string;
  at: number;
  name: string;
  error: AppError;
}

/** One entry of a list of the file, such as the list of a template's schedules. */
export interface Entry<Made> {
  list: string;
  at: number;
  /** Name of the list in sentences. The default is its path. */
  label?: string;
  name: string;
  make(): Made;
}

/**
 * Converts each entry, with pauses for other requests. All are tried. Those that fail are added to
 * `failures`, and the error of the first, which names the entry, is thrown at the end.
 */
export async function makeEach<Made>(
  failures: Failure[],
  entries: Iterable<Entry<Made>>,
): Promise<Made[]> {
  const made: Made[] = [];
  const pause = createPause();
  for (const { list, at, label = list, name, make } of entries) {
    if (pause.isDue()) await pause.take();
    const entry = `${label}[${at}] "${name.slice(0, 200)}"`;
    try {
      made.push(inEntry(entry, `${list}.${at}`, make));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failures.push({ list, at, name, error });
    }
  }
  if (failures.length > 0) throw failures[0].error;
  return made;
}

/** Calls `makeEach` for the entries of a top-level list of the file. */
export function eachEntry<Row, Made>(
  failures: Failure[],
  list: string,
  entries: readonly Row[],
  nameOf: (entry: Row) => string,
  make: (entry: Row, at: number) => Made,
): Promise<Made[]> {
  return makeEach(
    failures,
    entries.map((entry, at) => ({ list, at, name: nameOf(entry), make: () => make(entry, at) })),
  );
}

/** Rethrows errors of `make` with `entry` in their sentence, and its path before their field. */
export function inEntry<Made>(entry: string, path: string, make: () => Made): Made {
  return rethrow(make, (field, message) => {
    const key = field ? "errors.restore.entry_field" : "errors.restore.entry";
    const fields = { [field ? `${path}.${field}` : path]: message };
    return new AppError(400, key, { entry, field }, { fields });
  });
}

/** Rethrows errors of `make` with `path` before their field. */
export function below<Made>(path: string, make: () => Made): Made {
  return rethrow(
    make,
    (field, { key, params }) => invalidField(field ? `${path}.${field}` : path, key, params),
  );
}

function rethrow<Made>(
  make: () => Made,
  problemAt: (field: string, message: Sentence) => AppError,
): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [first] = Object.entries(error.details.fields ?? {});
    throw first ? problemAt(...first) : problemAt("", { key: error.key, params: error.params });
  }
}
