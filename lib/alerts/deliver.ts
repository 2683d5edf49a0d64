import type { Deps } from "../deps.ts";
import { recordEvent } from "../events/record.ts";
import { keys } from "../kv/keys.ts";
import type { ProjectRow } from "../projects/schema.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { SEND_MS_MAX, type SendResult } from "./channel.ts";
import { channels } from "./channels.ts";
import { taskMessage } from "./message.ts";
import { type AlertRow, type Delivery, putAlert, type TaskAlert } from "./outbox.ts";
import { recipientsOf } from "./recipients.ts";

const MINUTE_MS = 60_000;
/** Waits before the second attempt and those after it; then it is given up. */
const WAITS_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
/** After this an attempt that has told no end counts as one of a server that died. */
const LEASE_MS = 4 * SEND_MS_MAX;
const AT_ONCE = 4;
/** Clocks of several servers differ a little. */
const TOLERANCE_MS = 60_000;

/** Sends all that is due; answers in how many milliseconds the next one is, if there is one. */
export async function deliverDue(deps: Deps, stop?: AbortSignal): Promise<number | null> {
  const { kv, clock } = deps;
  for (;;) {
    if (stop?.aborted) return null;
    const due = await Array.fromAsync(kv.list<AlertRow>({
      prefix: keys.alertsDue(),
      end: keys.alertsDueUntil(new Date(clock.now().getTime() + 1).toISOString()),
    }, { limit: AT_ONCE }));
    if (due.length === 0) break;
    await Promise.all(due.map((entry) => handle(deps, entry)));
  }
  const [next] = await Array.fromAsync(kv.list({ prefix: keys.alertsDue() }, { limit: 1 }));
  return next ? Date.parse(next.key[1] as string) - clock.now().getTime() : null;
}

/** After the clock was set back: what lies further ahead than it was ever put off comes now. */
export async function pullForward({ kv, clock }: Deps): Promise<void> {
  const now = clock.now();
  for await (const entry of kv.list<AlertRow>({ prefix: keys.alertsDue() }, { batchSize: 100 })) {
    const { key, value } = entry;
    const aheadMs = Date.parse(key[1] as string) - now.getTime();
    if (aheadMs <= longestWait(value) + TOLERANCE_MS) continue;
    const op = kv.atomic().check(entry).delete(key);
    putAlert(op, now, value);
    await op.commit();
  }
}

/** Until the end of an attempt that is under way, or until the one after it. */
const longestWait = (row: AlertRow): number =>
  row.kind === "task" || row.attempts === 0
    ? 0
    : Math.max(LEASE_MS, WAITS_MS[row.attempts - 1] ?? 0);

async function handle(deps: Deps, entry: Deno.KvEntry<AlertRow>): Promise<void> {
  if (entry.value.kind === "task") await expand(deps, entry, entry.value);
  else await deliver(deps, entry, entry.value);
}

/** Makes of "this happened" a row for each who is told, in one step. */
async function expand(
  { kv, config, clock }: Deps,
  entry: Deno.KvEntry<AlertRow>,
  { project_id, task_id, status }: TaskAlert,
): Promise<void> {
  const [project, task] = await kv.getMany<[ProjectRow, TaskRow]>([
    keys.project(project_id),
    keys.task(project_id, task_id),
  ]);
  const op = kv.atomic().check(entry).delete(entry.key);
  if (project.value && !project.value.deleting && task.value) {
    const message = taskMessage(config, project.value, { ...task.value, status });
    for (const recipient of await recipientsOf(kv, config, project.value, status)) {
      putAlert(op, clock.now(), {
        kind: "delivery",
        project_id,
        ...recipient,
        message,
        attempts: 0,
      });
    }
  }
  await op.commit();
}

/** One attempt. The row is claimed first, so that no other server makes the same one. */
async function deliver(
  deps: Deps,
  entry: Deno.KvEntry<AlertRow>,
  { channel, target, message, attempts, ...row }: Delivery,
): Promise<void> {
  const { kv, clock, config } = deps;
  const begun: Delivery = { ...row, channel, target, message, attempts: attempts + 1 };
  const lease = keys.alertDue(
    new Date(clock.now().getTime() + LEASE_MS).toISOString(),
    entry.key[2] as string,
  );
  const claimed = await kv.atomic().check(entry).delete(entry.key).set(lease, begun).commit();
  if (!claimed.ok) return;
  const { isSetUp, send } = channels[channel];
  const result: SendResult = isSetUp(config.alerts)
    ? await send(config.alerts, target, message)
    : { ok: false, reason: "not set up", retry: false };
  const op = kv.atomic().check({ key: lease, versionstamp: claimed.versionstamp }).delete(lease);
  if (!result.ok) again(op, deps, begun, result);
  await op.commit();
}

/** Adds the next attempt to `op`; or, when there is none, that nobody was told. */
function again(
  op: Deno.AtomicOperation,
  deps: Deps,
  delivery: Delivery,
  { reason, retry }: Extract<SendResult, { ok: false }>,
): void {
  const { channel, attempts, project_id, message } = delivery;
  deps.log("warn", "alert_not_sent", { channel, project: project_id, attempts, reason });
  const wait = retry ? WAITS_MS[attempts - 1] : undefined;
  if (wait !== undefined) {
    putAlert(op, new Date(deps.clock.now().getTime() + wait), delivery);
    return;
  }
  recordEvent(op, deps, { kind: "autorun", id: 0, projectId: project_id }, {
    projectId: project_id,
    object: "project",
    id: project_id,
    name: message.project.name,
    action: "alert_failed",
    params: { channel, reason: reason.slice(0, 300) },
  });
}
