import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { EventRow } from "./schema.ts";

/** An event as the outbox of the audit log has it. It outlives its project and its retention. */
export interface PushedEvent {
  id: string;
  project_id: number;
  row: EventRow;
}

/** Stored row of the outbox: the events of one commit. */
export interface OutboxRow {
  events: PushedEvent[];
}

/** Maximum number of characters of a row, with room for those that need two bytes. */
const ROW_MAX = 25_000;

/** Events that an operation already has in its row of the outbox. */
const added = new WeakMap<Atomic, { events: PushedEvent[]; length: number }>();

/**
 * Adds an event to the outbox in `op`. The key of the row is the number of the commit, so rows are
 * in the order of commits, and none appears before one that was already read.
 */
export function addToOutbox(op: Atomic, kv: Store, event: PushedEvent): void {
  const row = added.get(op) ?? { events: [], length: 0 };
  const { changes, changes_left = 0, ...brief } = event.row;
  const length = JSON.stringify(event).length;
  const fits = row.length + length <= ROW_MAX;
  const left = changes_left + Object.keys(changes ?? {}).length;
  row.events.push(fits || !changes ? event : { ...event, row: { ...brief, changes_left: left } });
  row.length += fits ? length : 0;
  added.set(op, row);
  op.set([...rowKeys.auditOutbox(), kv.commitVersionstamp()], { events: row.events });
}
