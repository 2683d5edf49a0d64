import type { AuditSink } from "../events/cursors.ts";
import type { AuditRecord } from "./record.ts";

/** A receiver of the audit log. */
export interface Receiver {
  name: AuditSink;
  /**
   * Resolves once the receiver has confirmed all records. Throws otherwise, and then all of them
   * are sent again. Gives up when the signal is aborted.
   */
  send(records: readonly AuditRecord[], signal: AbortSignal): Promise<void>;
}
