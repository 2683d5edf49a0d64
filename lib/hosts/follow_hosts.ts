import type { ProjectScope } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { after } from "../base/after.ts";
import { rowKeys } from "../kv/keys.ts";
import { watchRows } from "../kv/watch.ts";

/** Between two of what is told: a run of many hosts is remembered in many commits. */
const PAUSE_MS = 1_000;

/** What moves with each change of the project's hosts; empty before the first. */
export async function readHostsVersion(
  { deps: { kv }, projectId }: ProjectScope,
): Promise<string> {
  return (await kv.get(rowKeys.hostsGuard(projectId))).versionstamp ?? "";
}

/**
 * Tells the version of the project's hosts whenever it is another one than `version`, and than what
 * was told last, once a second at most, while who asks may see the project.
 */
export async function* followHosts(
  scope: ProjectScope,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { deps, projectId } = scope;
  let told = version;
  for await (const _ of watchRows(deps, [rowKeys.hostsGuard(projectId)], signal)) {
    // What a watch tells may be older than what was told meanwhile.
    const now = await readHostsVersion(scope);
    if (now === told) continue;
    if (!await stillMaySee(scope)) return;
    yield (told = now);
    await new Promise<void>((resolve) => after(PAUSE_MS, resolve));
  }
}
