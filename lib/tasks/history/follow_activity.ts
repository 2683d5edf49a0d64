import { follow, rowChanges } from "../../access/follow.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { sightStamps } from "../../access/rules/read.ts";
import { sightOf } from "../../access/sight.ts";
import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import { type Activity, type ActivityFilter, type ActivityPage, listActivity } from "./activity.ts";

/** The latest matching activity, and the new or changed entries among it, oldest first. */
interface ActivityNews extends ActivityPage {
  changed: Activity[];
}

/**
 * Yields the latest matching activity, at first with all of it as new, and again after each change,
 * while the caller may see the project. It is read once per change, however many clients follow it
 * that see the same.
 */
export function followActivity(
  scope: ProjectScope,
  filter: ActivityFilter,
  signal: AbortSignal,
): AsyncGenerator<ActivityNews> {
  const { deps, projectId } = scope;
  const stamps = [rowKeys.eventsStamp(), rowKeys.tasksWake(), ...sightStamps(projectId)];
  const latest = async () => {
    const { readers } = await sightOf(scope);
    const name = `activity of ${projectId} seen by ${readers}: ${JSON.stringify(filter)}`;
    return await cachedWhile(deps.kv, stamps, name, () => listActivity(scope, filter));
  };
  let sent = new Set<string>();
  return follow({
    ...rowChanges(scope, stamps, signal),
    async *read() {
      const { activity, hasNext } = await latest();
      const texts = activity.map((one) => JSON.stringify(one));
      const changed = activity.filter((_, n) => !sent.has(texts[n]));
      sent = new Set(texts);
      if (changed.length > 0) yield { activity, hasNext, changed: changed.toReversed() };
    },
  }, signal);
}
