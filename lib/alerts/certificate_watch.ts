import type { Deps } from "../access/deps.ts";
import { isoTime } from "../base/time/clock.ts";
import { paths } from "../base/paths.ts";
import { queueNotice } from "../events/notices.ts";
import { parseCertificate } from "../execution/ssh/certificate.ts";
import { rowKeys } from "../store/keys.ts";
import { type Loop, startLoop } from "../store/loop.ts";
import type { KeyRow } from "../resources/keys/schema.ts";

const LOOK_MS = 60 * 60_000;
/** Time before the end of a certificate at which it is reported. */
const WARNING_MS = 7 * 86_400_000;

/** Reports certificates of keys a week before they expire, each once, by one server. */
export const watchCertificates = (deps: Deps): Loop =>
  startLoop(deps, {
    name: "certificate_watch",
    async step() {
      await reportCertificates(deps);
      return LOOK_MS;
    },
  });

/** Looks at all keys once. */
export async function reportCertificates(deps: Pick<Deps, "kv" | "clock">): Promise<void> {
  const prefix = rowKeys.resourcesOfKind("keys");
  for await (const entry of deps.kv.list<KeyRow>({ prefix }, { batchSize: 100 })) {
    const { certificate, certificate_reported } = entry.value;
    if (certificate && !certificate_reported) await report(deps, entry, certificate);
  }
}

async function report(
  deps: Pick<Deps, "kv" | "clock">,
  entry: Deno.KvEntry<KeyRow>,
  certificate: string,
): Promise<void> {
  const end = parseCertificate(certificate)?.validUntil ?? null;
  if (end === null || end - deps.clock.now().getTime() > WARNING_MS) return;
  const { id, project_id, name } = entry.value;
  // Fails if the key was changed meanwhile, or another server was faster.
  const op = deps.kv.atomic().check(entry);
  op.set(entry.key, { ...entry.value, certificate_reported: true } satisfies KeyRow);
  queueNotice(op, deps, {
    event: "certificate_expiring",
    project_id,
    template_id: null,
    title: {
      key: "alerts.title.certificate_expiring",
      params: { key: name, since: isoTime(end) },
    },
    path: paths.item(project_id, "keys", id),
  });
  await op.commit();
}
