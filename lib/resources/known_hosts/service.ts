import type { ProjectScope } from "../../access/scope.ts";
import { notFound } from "../../base/errors.ts";
import { storeEvent } from "../../events/record.ts";
import { forgetHostKeys, readPinnedKeys } from "../../execution/ssh/known_hosts.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { KnownHost } from "./schema.ts";

/** The hosts that the project's tasks have reached over ssh, by name, with their pinned keys. */
export async function listKnownHosts({ deps, projectId }: ProjectScope): Promise<KnownHost[]> {
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

/** Forgets a host's keys. The next key that the host presents is pinned. Throws not found. */
export async function forgetKnownHost(
  { deps, actor, projectId, project }: ProjectScope<"manage_keys">,
  host: string,
): Promise<void> {
  if (!await forgetHostKeys(deps.config.dataDir, projectId, host)) throw notFound();
  await storeEvent(deps, actor, {
    projectId,
    object: "project",
    id: projectId,
    name: project.name,
    action: "host_forgotten",
    params: { host },
  });
}
