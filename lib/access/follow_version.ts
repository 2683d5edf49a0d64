import { follow, rowChanges } from "./follow.ts";
import type { ProjectScope } from "./scope.ts";

/** Pause between two updates, because the work of a large task is stored in many commits. */
const PAUSE_MS = 1_000;

/** Returns the version of a row; empty before it exists. */
export const readVersion = async (
  { deps: { kv } }: ProjectScope,
  key: Deno.KvKey,
): Promise<string> => (await kv.get(key)).versionstamp ?? "";

/**
 * Yields the version of a row whenever it differs from `version` and from the last yielded one,
 * once a second at most, while the caller may see the project.
 */
export function followVersion(
  scope: ProjectScope,
  key: Deno.KvKey,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let sent = version;
  return follow({
    ...rowChanges(scope, [key], signal),
    async *read() {
      // A watch may report an older version than the one yielded meanwhile.
      const now = await readVersion(scope, key);
      if (now !== sent) yield (sent = now);
    },
    pauseMs: PAUSE_MS,
  }, signal);
}
