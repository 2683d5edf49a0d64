import { AppError, invalidField } from "../../base/errors.ts";
import { parseJson } from "../../base/parse.ts";
import type { KeyRow } from "../../resources/keys/schema.ts";
import { type Failure, findEntry, type Lookup, type NamedKind } from "./entries.ts";

export interface BuildOptions {
  projectId: number;
  now: Date;
  /** Returns the id of the row at an index among its kind, either counted or allocated. */
  idOf(kind: IdKind, at: number): number;
  /** Ids of the accounts of this server that approvals name, by username. */
  people: ReadonlyMap<string, number>;
  /** Receives the entries that cannot be restored when `buildRows` throws because of them. */
  failures?: Failure[];
}
export type IdKind =
  | NamedKind
  | "schedules"
  | "git_credentials"
  | "alert_rules"
  | "runners"
  | "environment_secrets"
  | "integrations"
  | "integration_matchers"
  | "integration_values"
  | "aliases";

export interface BuildContext extends BuildOptions {
  failures: Failure[];
  lookup: Lookup;
  /** The id of the row that an entry refers to, or null. */
  refer(kind: NamedKind, field: string, name: string | null | undefined): number | null;
}

/** The row's own name. `name` may differ from it to be unique in the file. */
export const ownName = (entry: { name?: string | null; original_name?: string | null }): string =>
  entry.original_name || entry.name || "";

/**
 * Returns the values with which an entry starts tasks, with the inventory by id. Semaphore has its
 * name among the values.
 */
export function startParamsOf(
  { task_params, inventory }: {
    task_params?: Record<string, unknown> | null;
    inventory?: string | null;
  },
  refer: BuildContext["refer"],
  field = "inventory",
): Record<string, unknown> | null | undefined {
  const { inventory_name, ...params } = task_params ?? {};
  const name = inventory || (typeof inventory_name === "string" ? inventory_name : null);
  const inventory_id = refer("inventories", field, name);
  return inventory_id === null ? task_params && params : { ...params, inventory_id };
}

/** Returns the template or the workflow that an entry of a trigger names. */
export const targetOf = (
  { template, workflow }: { template?: string | null; workflow?: string | null },
  { refer }: Pick<BuildContext, "refer">,
) => ({
  template_id: refer("templates", "template", template),
  workflow_id: refer("workflows", "workflow", workflow),
});

/** Throws if the key that an entry names is an SSH key, which has no password. */
export function requirePasswordKey(
  keys: KeyRow[],
  lookup: Lookup,
  field: string,
  name: string | null | undefined,
): void {
  const at = findEntry(lookup, "keys", field, name);
  if (at === null || keys[at].type !== "ssh") return;
  throw invalidField(field, "errors.keys.password_key_needed");
}

/** Parses the JSON of a member that older files hold as text. Returns other values unchanged. */
export function parseText(field: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return null;
  try {
    return parseJson(value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidField(field, "errors.restore.invalid_text");
  }
}
