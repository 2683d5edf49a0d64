import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { OutboxRow } from "./outbox.ts";

/** Kinds of receivers of the audit log. */
export const AUDIT_SINKS = ["syslog", "file", "https"] as const;
export type AuditSink = (typeof AUDIT_SINKS)[number];

/** Stored progress of a receiver. */
export interface AuditCursor {
  /** Key of the last row of the outbox that the receiver has confirmed; empty for none. */
  after: string;
  /** Time of the last confirmation. */
  sent: string | null;
  /** Time of the first of the failures since then. */
  failing_since: string | null;
  /** The last failure. */
  reason: string | null;
}

/** Backlog of a receiver. */
interface AuditLag {
  sink: AuditSink;
  /** Time of the oldest event that it has not confirmed; null if there is none. */
  oldest: string | null;
  failing_since: string | null;
  reason: string | null;
}

/** Returns the key after which a list of the outbox begins. */
export const outboxAfter = (after: string): Deno.KvListSelector => {
  const prefix = rowKeys.auditOutbox();
  return after === "" ? { prefix } : { prefix, start: [...prefix, `${after}0`] };
};

/** Returns how far each receiver is behind. */
export async function readAuditLags(kv: Store): Promise<AuditLag[]> {
  const lags: AuditLag[] = [];
  for await (const { key, value } of kv.list<AuditCursor>({ prefix: rowKeys.auditCursors() })) {
    const { after, failing_since, reason } = value;
    const [first] = await Array.fromAsync(kv.list<OutboxRow>(outboxAfter(after), { limit: 1 }));
    const oldest = first?.value.event.row.created ?? null;
    lags.push({ sink: key[1] as AuditSink, oldest, failing_since, reason });
  }
  return lags;
}
