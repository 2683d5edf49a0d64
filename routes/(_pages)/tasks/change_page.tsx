import type { VNode } from "preact";
import type { ChangeListProps, ShownChange } from "@/components/results/Change.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { findRunChange, listRunChanges } from "@/lib/results/changes.ts";
import { listRunHosts, listRunPlays } from "@/lib/results/service.ts";
import type { TabAbout } from "./tab.ts";

const PAGE_CHANGES = 20;

type Changes = Awaited<ReturnType<typeof listRunChanges>>["changes"];

interface ChangePage extends Pick<ChangeListProps, "wholeOf"> {
  /** See `shownChanges`. */
  changes: Changes;
  isFirst: boolean;
  /** Links to the other pages. */
  pages: VNode;
}

/**
 * Returns the changes that the URL of `tab` requests: one page of them, or a single one in full.
 */
export async function pageOfChanges(about: TabAbout, tab: string): Promise<ChangePage> {
  const { state: { ui, scope }, task, address, which } = about;
  const after = address.asked.get("after") ?? undefined;
  const whole = await findRunChange(scope, task.id, address.asked.get("change") ?? "", which);
  const { changes, next } = whole
    ? { changes: [whole], next: null }
    : await listRunChanges(scope, task.id, { after, limit: PAGE_CHANGES, ...which });
  return {
    changes,
    isFirst: !after,
    wholeOf: whole ? undefined : ({ id }) => address.href(tab, { change: id }),
    pages: (
      <Pagination
        ui={ui}
        newest={after || whole ? address.href(tab) : undefined}
        older={next ? address.href(tab, { after: next }) : undefined}
        labels={[ui.t("results.first"), ui.t("results.next")]}
        stays
      />
    ),
  };
}

/** Returns the changes with the objects that their ids refer to. */
export async function shownChanges(
  { state: { scope }, task, which }: TabAbout,
  changes: Changes,
): Promise<ShownChange[]> {
  const [{ hosts }, plays] = await Promise.all([
    listRunHosts(scope, task.id, which),
    listRunPlays(scope, task.id, which),
  ]);
  const tasks = plays.flatMap(({ tasks }) => tasks);
  const named = (ids: number[]) => ids.flatMap((id) => hosts[id - 1] ?? []);
  return changes.flatMap(({ id, play_task_id, diff, host_ids, done_ids, more }) => {
    const task = tasks[play_task_id - 1];
    const its = { hosts: named(host_ids), done: named(done_ids), more };
    return task ? [{ id, task, diff, ...its, line: task.line }] : [];
  });
}
