import { createHash } from "node:crypto";
import { authorize } from "../../access/authorize.ts";
import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { notFound } from "../../base/errors.ts";
import { storeEvent } from "../../events/record.ts";
import { forgetHost, readPinnedKeys } from "../../execution/known_hosts.ts";
import type { KnownHost } from "./schema.ts";

/** The hosts that the project's runs have reached over ssh, by name, with their pinned keys. */
export async function listKnownHosts(
  deps: Deps,
  actor: Actor,
  projectId: number,
): Promise<KnownHost[]> {
  await authorize(deps.kv, actor, projectId);
  const keysOf = new Map<string, KnownHost["keys"]>();
  for (const { hosts, type, key } of await readPinnedKeys(deps.config.dataDir, projectId)) {
    for (const host of hosts) {
      const pinned = { type, fingerprint: fingerprintOf(key) };
      const others = keysOf.get(host);
      if (others) others.push(pinned);
      else keysOf.set(host, [pinned]);
    }
  }
  return [...keysOf].map(([host, keys]) => ({ host, keys }))
    .toSorted((a, b) => a.host.localeCompare(b.host));
}

/** Forgets a host's keys: the one that it shows next is pinned. Throws not found. */
export async function forgetKnownHost(
  deps: Deps,
  actor: Actor,
  projectId: number,
  host: string,
): Promise<void> {
  const { project } = await authorize(deps.kv, actor, projectId, "manage_resources");
  if (!await forgetHost(deps.config.dataDir, projectId, host)) throw notFound();
  await storeEvent(deps, actor, {
    projectId,
    object: "project",
    id: projectId,
    name: project.name,
    action: "host_forgotten",
    params: { host },
  });
}

function fingerprintOf(key: string): string {
  const digest = createHash("sha256").update(key, "base64").digest("base64");
  return `SHA256:${digest.replace(/(?<!=)=+$/, "")}`;
}
