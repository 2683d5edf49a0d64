import { collection } from "../../store/collection.ts";
import { type Ref, rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { AliasRow, IntegrationRow } from "./schema.ts";

export const integrationRows = collection<IntegrationRow>("integrations", {
  references({ template_id, workflow_id, auth_secret_id }) {
    const used: Ref[] = [];
    if (template_id !== null) used.push(["templates", template_id]);
    if (workflow_id) used.push(["workflows", workflow_id]);
    if (auth_secret_id !== null) used.push(["keys", auth_secret_id]);
    return used;
  },
  documents: ["task_params", "matchers", "values"],
});

/** Target of an address: one integration, or all searchable ones of the project for null. */
interface AliasTarget {
  project_id: number;
  integration_id: number | null;
}

/** Adds an integration with its addresses to `op`. The commit fails if one of them is in use. */
export async function insertIntegration(
  kv: Store,
  op: Atomic,
  row: IntegrationRow,
): Promise<void> {
  await integrationRows.insert(kv, op, row);
  for (const alias of row.aliases) {
    claimAlias(op, alias, { project_id: row.project_id, integration_id: row.id });
  }
}

/** Adds the deletion of an integration, its addresses and its log of calls to `op`. */
export async function removeIntegration(
  kv: Store,
  op: Atomic,
  projectId: number,
  id: number,
): Promise<IntegrationRow> {
  const row = await integrationRows.remove(kv, op, projectId, id);
  for (const { text } of row.aliases) op.delete(rowKeys.alias(text));
  op.delete(rowKeys.deliveries(projectId, id))
    .delete(rowKeys.latestStart(projectId, "integration", id))
    .delete(rowKeys.latestRunStart(projectId, "integration", id));
  for await (const { key } of kv.list({ prefix: rowKeys.deliveries(projectId, id) })) {
    op.delete(key).delete(rowKeys.deliveryBody(projectId, id, key[3] as number));
  }
  return row;
}

/** Adds to `op` that this address reaches `target`. The commit fails if the address is in use. */
export function claimAlias(
  op: Atomic,
  { text }: AliasRow,
  target: AliasTarget,
): void {
  op.check({ key: rowKeys.alias(text), versionstamp: null }).set(rowKeys.alias(text), target);
}

/** Longer than any address. A longer text could exceed the size of a KV key. */
const ALIAS_LENGTH_MAX = 200;

/** Target of the address, or null. */
export async function findAlias(kv: Store, text: string): Promise<AliasTarget | null> {
  if (text.length > ALIAS_LENGTH_MAX) return null;
  return (await kv.get<AliasTarget>(rowKeys.alias(text))).value;
}

/**
 * The addresses of a project that reach all its searchable integrations, with the entry to check.
 */
export async function getProjectAliases(
  kv: Store,
  projectId: number,
): Promise<{ entry: Deno.KvEntryMaybe<AliasRow[]>; aliases: AliasRow[] }> {
  const entry = await kv.get<AliasRow[]>(rowKeys.projectAliases(projectId));
  return { entry, aliases: entry.value ?? [] };
}

/** The object of an event about the integration. */
export const integrationEvent = ({ project_id, id, name }: IntegrationRow) =>
  ({ projectId: project_id, object: "integration", id, name }) as const;
