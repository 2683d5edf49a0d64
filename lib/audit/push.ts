import type { Clock } from "../base/time/clock.ts";
import { linkedAbort, unlessAborted } from "../base/time/abort.ts";
import type { Log } from "../base/log.ts";
import { whyOf } from "../base/why.ts";
import { type AuditCursor, type AuditSink, outboxAfter } from "../events/cursors.ts";
import { deleteFromOutbox, eventsOf, type OutboxRow } from "../events/outbox.ts";
import { rowKeys } from "../store/keys.ts";
import { type Loop, startLoop } from "../store/loop.ts";
import { takeWorkTurn } from "../store/work_turn.ts";
import type { Store } from "../store/store.ts";
import { auditRecord } from "./record.ts";
import type { Receiver } from "./sink.ts";

interface PushDeps {
  kv: Store;
  clock: Pick<Clock, "now">;
  log: Log;
}

/** Commits that are sent together. */
const BATCH = 200;
const SEND_MS_MAX = 20_000;
/** Longer than a send, so that no other server sends the same meanwhile. */
const TURN_MS = 2 * SEND_MS_MAX;

const RETRY_MS = 5_000;
const RETRY_MS_MAX = 60_000;

/** Events that no receiver has taken for this long are dropped. */
const KEEP_MS = 30 * 86_400_000;

const NEW: AuditCursor = { after: "", sent: null, failing_since: null, reason: null };

/** Sends events to one receiver. If servers share the store, one does it at a time. */
export function startPushing(
  deps: PushDeps,
  receiver: Receiver,
  { shared }: { shared: boolean },
): Loop {
  const owner = crypto.randomUUID();
  const turn = rowKeys.auditTurn(receiver.name);
  let failures = 0;
  let retryAt = 0;
  return startLoop(deps, {
    name: `audit_${receiver.name}`,
    wokenBy: rowKeys.eventsStamp(),
    // A step takes all events of a busy moment in one batch.
    everyMs: 200,
    async step(stop) {
      // New events wake the loop, too.
      const earlyMs = retryAt - performance.now();
      if (earlyMs > 0) return earlyMs;
      const waitMs = shared ? await takeWorkTurn(deps, turn, owner, TURN_MS) : 0;
      if (waitMs > 0) return waitMs;
      const sent = await pushBatch(deps, receiver, stop);
      if (sent !== "failed") {
        failures = 0;
        return sent === "more" ? 0 : Infinity;
      }
      const delayMs = Math.min(RETRY_MS * 2 ** failures++, RETRY_MS_MAX);
      retryAt = performance.now() + delayMs;
      return delayMs;
    },
  });
}

/**
 * Sends the next events of the outbox, in the order of their commits, and stores the progress once
 * the receiver has confirmed them. Resolves to whether there may be more.
 */
export async function pushBatch(
  deps: PushDeps,
  receiver: Receiver,
  stop: AbortSignal = new AbortController().signal,
): Promise<"done" | "more" | "failed"> {
  const { kv, clock, log } = deps;
  const cursor = await getCursor(kv, receiver.name);
  const before = cursor.value;
  const rows = await Array.fromAsync(
    kv.list<OutboxRow>(outboxAfter(before.after), { limit: BATCH }),
  );
  if (rows.length === 0) return "done";
  const sending = linkedAbort(stop);
  const late = new Error("no answer in time");
  const timer = setTimeout(() => sending.abort(late), SEND_MS_MAX);
  const now = clock.now().toISOString();
  try {
    const events = (await Promise.all(rows.map(({ value }) => eventsOf(kv, value)))).flat();
    const { signal } = sending;
    await unlessAborted(receiver.send(events.map(auditRecord), signal), signal);
  } catch (error) {
    if (stop.aborted) return "failed";
    const reason = whyOf(error).text.slice(0, 300);
    if (!before.failing_since) log("warn", "audit_not_sent", { sink: receiver.name, reason });
    const failing = { ...before, failing_since: before.failing_since ?? now, reason };
    await kv.atomic().check(cursor).set(cursor.key, failing).commit();
    await dropOld(deps);
    return "failed";
  } finally {
    clearTimeout(timer);
    sending.release();
  }
  const after = rows.at(-1)!.key[1] as string;
  const next: AuditCursor = { after, sent: now, failing_since: null, reason: null };
  await kv.atomic().check(cursor).set(cursor.key, next).commit();
  if (before.failing_since) log("info", "audit_sent_again", { sink: receiver.name });
  await removeSent(kv);
  return "more";
}

/**
 * Returns the progress of a receiver. A new receiver gets what is in the outbox, and what no one
 * has sent to it is not removed from now on.
 */
export async function getCursor(kv: Store, sink: AuditSink): Promise<Deno.KvEntry<AuditCursor>> {
  const key = rowKeys.auditCursor(sink);
  for (;;) {
    const entry = await kv.get<AuditCursor>(key);
    if (entry.value) return entry;
    await kv.atomic().check(entry).set(key, NEW).commit();
  }
}

/** Removes the rows of the outbox that all receivers have confirmed. */
async function removeSent(kv: Store): Promise<void> {
  const cursors = await Array.fromAsync(
    kv.list<AuditCursor>({ prefix: rowKeys.auditCursors() }),
    ({ value }) => value.after,
  );
  const first = cursors.toSorted()[0];
  if (!first) return;
  const prefix = rowKeys.auditOutbox();
  const selector = { prefix, end: [...prefix, `${first}0`] };
  for (;;) {
    const rows = await Array.fromAsync(kv.list<OutboxRow>(selector, { limit: BATCH }));
    await deleteFromOutbox(kv, rows);
    if (rows.length < BATCH) return;
  }
}

/** Drops events that are too old, so that a receiver that never returns does not fill the disk. */
async function dropOld({ kv, clock, log }: PushDeps): Promise<void> {
  const oldest = new Date(clock.now().getTime() - KEEP_MS).toISOString();
  const prefix = rowKeys.auditOutbox();
  let dropped = 0;
  for (;;) {
    const rows = await Array.fromAsync(kv.list<OutboxRow>({ prefix }, { limit: BATCH }));
    const old = rows.filter(({ value }) => value.event.row.created < oldest);
    await deleteFromOutbox(kv, old);
    dropped += old.length;
    if (old.length < BATCH) break;
  }
  if (dropped > 0) log("error", "audit_events_dropped", { commits: dropped });
}
