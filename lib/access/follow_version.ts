import { follow, rowChanges } from "./follow.ts";
import { rowKeys } from "../store/keys.ts";
import type { ProjectScope } from "./scope.ts";

/** Pause between two updates, because the work of a large task is stored in many commits. */
const PAUSE_MS = 1_000;

/**
 * Returns the version of a row and of the rules about who sees what of the project; empty before
 * both exist.
 */
export async function readVersion(
  { deps: { kv }, projectId }: ProjectScope,
  key: Deno.KvKey,
): Promise<string> {
  const rows = await kv.getMany<unknown[]>([key, rowKeys.accessRulesStamp(projectId)]);
  return rows.map(({ versionstamp }) => versionstamp ?? "").join("");
}

/**
 * Yields the version of a row and of the project's rules whenever it differs from `version` and
 * from the last yielded one, once a second at most, while the caller may see the project.
 */
export function followVersion(
  scope: ProjectScope,
  key: Deno.KvKey,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let sent = version;
  return follow({
    ...rowChanges(scope, [key, rowKeys.accessRulesStamp(scope.projectId)], signal),
    async *read() {
      // A watch may report an older version than the one yielded meanwhile.
      const now = await readVersion(scope, key);
      if (now !== sent) yield (sent = now);
    },
    pauseMs: PAUSE_MS,
  }, signal);
}
