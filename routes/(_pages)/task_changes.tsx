import { ChangeList, type ShownChange } from "@/components/results/ChangeList.tsx";
import { DiffsOff, NothingChanged } from "@/components/results/NoChanges.tsx";
import { Ways } from "@/components/results/Ways.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Pagination } from "@/components/ui/Pagination.tsx";
import { findRunChange, getRunModes, listRunChanges } from "@/lib/results/run_changes.ts";
import { listRunHosts, listRunPlays } from "@/lib/results/service.ts";
import { isFinished } from "@/lib/tasks/status.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { showChangedHosts } from "./task_changed_hosts.tsx";
import type { TabAsked, TaskTab } from "./task_tab.ts";

/** Changes of a page. */
const PAGE_CHANGES = 20;

/** What was changed, or would be. */
export const CHANGES_TAB: TaskTab = { name: "changes", count: countChanges, show: showChanges };

function countChanges({ state: { ui }, run }: TabAsked) {
  const count = run.counts.changed ?? 0;
  if (count === 0) return undefined;
  return { number: ui.number(count), label: ui.t("changes.count", { count }) };
}

async function showChanges(asked: TabAsked) {
  const { state: { ui, scope, shell }, task, place, which } = asked;
  const modes = await getRunModes(scope, task.id, which);
  const after = place.asked.get("after") ?? undefined;
  const whole = await findRunChange(scope, task.id, place.asked.get("change") ?? "", which);
  const { changes, next } = whole
    ? { changes: [whole], next: null }
    : await listRunChanges(scope, task.id, { after, limit: PAGE_CHANGES, ...which });
  const isOver = isFinished(task.status);
  if (changes.length === 0 && !after) return <NothingChanged {...{ ui, isOver, ...modes }} />;
  const by = place.asked.get("by") === "host" ? "host" : "task";
  // Those that are known come first: without one on the first page there is none.
  const isBlind = !modes.diff && !after && changes.every(({ diff }) => diff === "");
  return (
    <>
      {modes.check && <Alert class="mb-3">{ui.t("changes.would")}</Alert>}
      {isBlind && <DiffsOff ui={ui} task={task} mayRun={may(shell, "run_tasks")} />}
      <Ways
        id="changes"
        label={ui.t("changes.by")}
        ways={["task", "host"].map((name) => ({
          name,
          text: ui.t(`changes.by_${name}`),
          href: place.href("changes", { by: name === "host" ? name : undefined }),
          current: name === by,
        }))}
      />
      {by === "host" ? await showChangedHosts(asked) : (
        <>
          <ChangeList
            ui={ui}
            place={place}
            changes={await shownChanges(asked, changes)}
            wholeOf={whole ? undefined : ({ id }) => place.href("changes", { change: id })}
          />
          <Pagination
            ui={ui}
            newest={after || whole ? place.href("changes") : undefined}
            older={next ? place.href("changes", { after: next }) : undefined}
            labels={[ui.t("results.first"), ui.t("results.next")]}
            stays
          />
        </>
      )}
    </>
  );
}

/** The changes with what their ids stand for. */
export async function shownChanges(
  { state: { scope }, task, which }: Pick<TabAsked, "state" | "task" | "which">,
  changes: Awaited<ReturnType<typeof listRunChanges>>["changes"],
): Promise<ShownChange[]> {
  const [{ hosts }, plays] = await Promise.all([
    listRunHosts(scope, task.id, which),
    listRunPlays(scope, task.id, which),
  ]);
  const tasks = plays.flatMap(({ tasks }) => tasks);
  return changes.flatMap(({ id, play_task_id, diff, host_ids, more }) => {
    const task = tasks[play_task_id - 1];
    const named = host_ids.flatMap((id) => hosts[id - 1] ?? []);
    return task ? [{ id, task, diff, hosts: named, more, line: task.line }] : [];
  });
}
