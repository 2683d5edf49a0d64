import { rowKeys } from "./keys.ts";
import { memoryPart } from "./memory.ts";
import type { Store } from "./store.ts";

/** Whether events are copied into the outbox of the audit log. */
const outbox = memoryPart("outbox", () => ({ isOpen: false }));

/** Whether events are copied into the outbox. */
export const hasOutbox = (kv: Store): boolean => outbox.of(kv).isOpen;

/**
 * Reads whether a server pushes events. Scripts that change the store need it, because they do not
 * know the settings of the server.
 */
export async function readOutboxSwitch(kv: Store): Promise<void> {
  const { value } = await kv.get(rowKeys.auditSwitch());
  if (value !== null) outbox.of(kv).isOpen = true;
}

/** Begins to copy events, in this process and in those that open the store later. */
export async function openOutbox(kv: Store): Promise<void> {
  await kv.set(rowKeys.auditSwitch(), true);
  outbox.of(kv).isOpen = true;
}

/** Ends that. Events in the outbox stay. */
export async function closeOutbox(kv: Store): Promise<void> {
  await kv.delete(rowKeys.auditSwitch());
  outbox.of(kv).isOpen = false;
}
