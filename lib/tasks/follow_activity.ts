import type { ProjectScope } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import type { ActivityFilter } from "../events/activity.ts";
import { keptWhile } from "../kv/kept.ts";
import { rowKeys } from "../kv/keys.ts";
import { watchRows } from "../kv/watch.ts";
import { type Activity, type ActivityPage, listActivity } from "./activity.ts";

/** The newest activity that matches, and what of it is new or has changed, oldest first. */
interface ActivityNews extends ActivityPage {
  changed: Activity[];
}

/**
 * The newest activity that matches, all of it new, and then again whenever it has changed, while
 * who asks may see the project. However many follow it, it is read once a change.
 */
export async function* followActivity(
  scope: ProjectScope,
  filter: ActivityFilter,
  signal: AbortSignal,
): AsyncGenerator<ActivityNews> {
  const { deps, projectId } = scope;
  const stamps = [rowKeys.eventsStamp(), rowKeys.tasksWake()];
  const name = `activity of ${projectId}: ${JSON.stringify(filter)}`;
  let told = new Set<string>();
  for await (const _ of watchRows(deps, stamps, signal)) {
    const { activity, hasNext } = await keptWhile(
      deps.kv,
      stamps,
      name,
      () => listActivity(scope, filter),
    );
    const texts = activity.map((one) => JSON.stringify(one));
    const changed = activity.filter((_, n) => !told.has(texts[n]));
    told = new Set(texts);
    if (changed.length === 0) continue;
    if (!await stillMaySee(scope)) return;
    yield { activity, hasNext, changed: changed.toReversed() };
  }
}
