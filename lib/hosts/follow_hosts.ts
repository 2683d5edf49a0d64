import type { ProjectScope } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { after } from "../base/after.ts";
import { rowKeys } from "../kv/keys.ts";
import { watchRows } from "../kv/watch.ts";

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
export async function* followHosts(
  scope: ProjectScope,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { deps, projectId } = scope;
  let told = version;
  for await (const _ of watchRows(deps, [rowKeys.hostsGuard(projectId)], signal)) {
    // A watch may report an older version than the one yielded meanwhile.
    const now = await readHostsVersion(scope);
    if (now === told) continue;
    if (!await stillMaySee(scope)) return;
    yield (told = now);
    await new Promise<void>((resolve) => after(PAUSE_MS, resolve));
  }
}
