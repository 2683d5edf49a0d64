import { follow, rowChanges } from "../access/follow.ts";
import type { ProjectScope } from "../access/scope.ts";
import { rowKeys } from "../kv/keys.ts";

/** Pause between two updates, because the hosts of a large task are stored in many commits. */
const PAUSE_MS = 1_000;

/** Returns a version that changes with the project's hosts; empty before the first change. */
export async function readHostsVersion(
  { deps: { kv }, projectId }: ProjectScope,
): Promise<string> {
  return (await kv.get(rowKeys.hostsGuard(projectId))).versionstamp ?? "";
}

/**
 * Yields the version of the project's hosts whenever it differs from `version` and from the last
 * yielded one, once a second at most, while the caller may see the project.
 */
export function followHosts(
  scope: ProjectScope,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let sent = version;
  return follow({
    ...rowChanges(scope, [rowKeys.hostsGuard(scope.projectId)], signal),
    async *read() {
      // A watch may report an older version than the one yielded meanwhile.
      const now = await readHostsVersion(scope);
      if (now !== sent) yield (sent = now);
    },
    pauseMs: PAUSE_MS,
  }, signal);
}
