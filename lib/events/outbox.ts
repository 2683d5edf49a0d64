import { deletePrefix } from "../store/delete_prefix.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { writeAll } from "../store/rows/write_all.ts";
import type { EventRow } from "./schema.ts";

/** An event as the outbox of the audit log has it. It outlives its project and its retention. */
export interface PushedEvent {
  id: string;
  project_id: number;
  row: EventRow;
}

/** Stored row of the outbox: the first event of a commit, or one of its others. */
export interface OutboxRow {
  event: PushedEvent;
  /** The batch of the commit's other events; missing if there are none. */
  more?: string;
}

interface Added {
  first: PushedEvent;
  batch: string;
  others: number;
}

/** Events that an operation already has in the outbox. */
const added = new WeakMap<Atomic, Added>();

/**
 * Adds an event to the outbox in `op`. The key of the first one is the number of the commit, so
 * rows are in the order of commits, and none appears before one that was already read. A commit has
 * one such key, so its other events are stored elsewhere.
 */
export function addToOutbox(op: Atomic, kv: Store, event: PushedEvent): void {
  const key = [...rowKeys.auditOutbox(), kv.commitVersionstamp()];
  const known = added.get(op);
  if (!known) {
    added.set(op, { first: event, batch: crypto.randomUUID(), others: 0 });
    op.set(key, { event } satisfies OutboxRow);
    return;
  }
  const { first, batch } = known;
  if (known.others === 0) op.set(key, { event: first, more: batch } satisfies OutboxRow);
  op.set([...rowKeys.auditOutboxMore(batch), ++known.others], { event } satisfies OutboxRow);
}

/** Returns the events of a row and its batch, in the order in which they were added. */
export async function eventsOf(kv: Store, { event, more }: OutboxRow): Promise<PushedEvent[]> {
  if (!more) return [event];
  const rows = kv.list<OutboxRow>({ prefix: rowKeys.auditOutboxMore(more) });
  return [event, ...await Array.fromAsync(rows, ({ value }) => value.event)];
}

/** Deletes rows of the outbox with their batches. */
export async function deleteFromOutbox(kv: Store, rows: Deno.KvEntry<OutboxRow>[]): Promise<void> {
  for (const { value: { more } } of rows) {
    if (more) await deletePrefix(kv, rowKeys.auditOutboxMore(more));
  }
  await writeAll(kv, rows, (op, { key }) => op.delete(key));
}
