import { AUDIT_SINKS } from "../events/cursors.ts";
import { rowKeys } from "../store/keys.ts";
import { closeOutbox, openOutbox } from "../store/outbox_switch.ts";
import type { Loop } from "../store/loop.ts";
import { fileReceiver } from "./file.ts";
import { httpsReceiver } from "./https.ts";
import { getCursor, startPushing } from "./push.ts";
import type { AuditSettings } from "./settings.ts";
import type { Receiver } from "./sink.ts";
import { syslogReceiver } from "./syslog.ts";

/** Returns the receivers of the settings. `host` is the name of this server. */
function receiversOf({ syslog, file, https }: AuditSettings, host: string): Receiver[] {
  return [
    ...syslog ? [syslogReceiver(syslog, host)] : [],
    ...file !== null ? [fileReceiver(file)] : [],
    ...https ? [httpsReceiver(https, host)] : [],
  ];
}

/**
 * Prepares the store for the receivers, and starts to send events to each. A shared store keeps the
 * progress of receivers that only other servers have.
 */
export async function startAudit(
  deps: Parameters<typeof startPushing>[0],
  settings: AuditSettings,
  { host, shared }: { host: string; shared: boolean },
): Promise<Loop[]> {
  const { kv } = deps;
  const receivers = receiversOf(settings, host);
  if (!shared) {
    const gone = AUDIT_SINKS.filter((name) => !receivers.some((one) => one.name === name));
    for (const name of gone) await kv.delete(rowKeys.auditCursor(name));
  }
  if (receivers.length > 0) await openOutbox(kv);
  else if (!shared) await closeOutbox(kv);
  for (const { name } of receivers) await getCursor(kv, name);
  return receivers.map((receiver) => startPushing(deps, receiver, { shared }));
}
