import { createPause } from "../../base/pause.ts";
import { AppError, invalidField, type Sentence } from "../../base/errors.ts";

/** The kinds of entries that others refer to by name. */
export type NamedKind =
  | "keys"
  | "environments"
  | "views"
  | "repositories"
  | "inventories"
  | "templates";

/** Places of the entries of each kind by name; null for a name that several have. */
export type Lookup = Record<NamedKind, Map<string, number | null>>;

/** The place of each name among its kind's entries. */
export function places(names: readonly string[]): Map<string, number | null> {
  const found = new Map<string, number | null>();
  for (const [at, name] of names.entries()) found.set(name, found.has(name) ? null : at);
  return found;
}

/** Where an entry refers to: the place of `name`, or null for none. Throws naming `field`. */
export function lookUp(
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

/** An entry that cannot be taken: its list in the file, its place there, and why. */
export interface Failure {
  list: string;
  at: number;
  name: string;
  error: AppError;
}

/** One entry of a list of the file, such as that of a template's schedules. */
export interface Entry<Made> {
  list: string;
  at: number;
  /** What sentences call the list; its path if not said. */
  label?: string;
  name: string;
  make(): Made;
}

/**
 * What is made of each entry, with pauses for other requests. All are tried: those that fail are
 * added to `failures`, and the first one's error, which names the entry, is thrown at the end.
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

/** As `makeEach`, for the entries of one of the file's own lists. */
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

/** Failures of `make` name `entry` in their sentence, and its path in front of their field. */
export function inEntry<Made>(entry: string, path: string, make: () => Made): Made {
  return rethrow(make, (field, message) => {
    const key = field ? "errors.restore.entry_field" : "errors.restore.entry";
    const fields = { [field ? `${path}.${field}` : path]: message };
    return new AppError(400, key, { entry, field }, { fields });
  });
}

/** Failures of `make` name their field with `path` in front of it. */
export function below<Made>(path: string, make: () => Made): Made {
  return rethrow(
    make,
    (field, { key, params }) => invalidField(field ? `${path}.${field}` : path, key, params),
  );
}

function rethrow<Made>(
  make: () => Made,
  tell: (field: string, message: Sentence) => AppError,
): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [first] = Object.entries(error.details.fields ?? {});
    throw first ? tell(...first) : tell("", { key: error.key, params: error.params });
  }
}
