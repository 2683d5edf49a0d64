import { follow, rowChanges, stillWith } from "../../access/follow.ts";
import type { ProjectScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { cutText } from "../../base/text/cut_text.ts";
import { notFound } from "../../base/errors.ts";
import { reveal } from "../../base/secret.ts";
import { integrationRows } from "../integrations/repository.ts";
import type { IntegrationRow } from "../integrations/schema.ts";
import { getSeenIntegration } from "../integrations/seen.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { DeliveryDetails, DeliveryRow, DeliveryView } from "./schema.ts";

/** Number of latest calls that an integration's log holds. */
const DELIVERIES_MAX = 100;
/** Stored bytes of a body, if bodies are stored. Sealed, they must fit into one KV value. */
const BODY_BYTES_KEPT = 48 * 1024;
/** The same as text, in which each byte that is not UTF-8 takes three. */
const TEXT_BYTES = 56 * 1024;
const decoder = new TextDecoder();

type NewDelivery = Omit<DeliveryRow, "id" | "created" | "has_body" | "body_truncated">;

/** Adds a call to its integration's log, and removes the oldest of a full log. */
export async function recordDelivery(
  deps: Deps,
  integration: IntegrationRow,
  delivery: NewDelivery,
  body: Uint8Array,
): Promise<void> {
  const { kv } = deps;
  const { project_id, id: integrationId } = integration;
  const kept = integration.keep_bodies && body.length > 0;
  const row = {
    ...delivery,
    created: deps.clock.now().toISOString(),
    has_body: kept,
    body_truncated: kept && body.length > BODY_BYTES_KEPT,
  };
  const sealed = kept
    ? await deps.secrets.seal(cutText(decoder.decode(body.slice(0, BODY_BYTES_KEPT)), TEXT_BYTES))
    : null;
  await transact(kv, async (op) => {
    const found = await integrationRows.find(kv, project_id, integrationId);
    if (!found) return; // deleted meanwhile together with its log
    // Numbered without gaps, so that the number of the oldest is known.
    const last = await kv.get<number>(rowKeys.deliveries(project_id, integrationId));
    const id = (last.value ?? 0) + 1;
    op.check(found.entry).check(last).set(last.key, id);
    op.set(rowKeys.delivery(project_id, integrationId, id), { ...row, id } satisfies DeliveryRow);
    if (sealed) op.set(rowKeys.deliveryBody(project_id, integrationId, id), sealed);
    op.delete(rowKeys.delivery(project_id, integrationId, id - DELIVERIES_MAX))
      .delete(rowKeys.deliveryBody(project_id, integrationId, id - DELIVERIES_MAX));
  });
}

/** The latest calls of an integration, latest first, without their bodies. */
export async function listDeliveries(
  scope: ProjectScope<"manage_triggers">,
  integrationId: number,
): Promise<DeliveryView[]> {
  const { deps, projectId } = scope;
  await getSeenIntegration(scope, integrationId);
  const rows = deps.kv.list<DeliveryRow>({ prefix: rowKeys.deliveries(projectId, integrationId) }, {
    reverse: true,
    limit: DELIVERIES_MAX,
  });
  return await Array.fromAsync(rows, ({ value }) => deliveryView(value, integrationId));
}

/**
 * Yields calls after number `after` as they arrive, oldest first, while the actor may manage the
 * project.
 */
export function followDeliveries(
  scope: ProjectScope<"manage_triggers">,
  integrationId: number,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<DeliveryView[]> {
  const { deps: { kv }, projectId } = scope;
  const list = rowKeys.deliveries(projectId, integrationId);
  let last = after;
  return follow({
    ...rowChanges<[number]>(scope, [list], signal, stillWith(scope, "manage_triggers")),
    async *read([{ value }]) {
      if (value === null || value <= last) return;
      await getSeenIntegration(scope, integrationId);
      const rows = kv.list<DeliveryRow>({ prefix: list, start: [...list, last + 1] });
      last = value;
      yield await Array.fromAsync(rows, (row) => deliveryView(row.value, integrationId));
    },
  }, signal);
}

/** One call, with its body if it was stored. */
export async function getDelivery(
  scope: ProjectScope<"manage_triggers">,
  integrationId: number,
  id: number,
): Promise<DeliveryDetails> {
  const { deps, projectId } = scope;
  await getSeenIntegration(scope, integrationId);
  const [row, sealed] = await deps.kv.getMany<[DeliveryRow, Uint8Array]>([
    rowKeys.delivery(projectId, integrationId, id),
    rowKeys.deliveryBody(projectId, integrationId, id),
  ]);
  if (!row.value) throw notFound();
  return {
    ...deliveryView(row.value, integrationId),
    body: sealed.value ? reveal(await deps.secrets.open(sealed.value), "show") : null,
    body_truncated: row.value.body_truncated,
  };
}

function deliveryView(
  { body_truncated: _, ...row }: DeliveryRow,
  integration_id: number,
): DeliveryView {
  return {
    ...row,
    workflow_id: row.workflow_id,
    run_id: row.run_id ?? null,
    integration_id,
  };
}
