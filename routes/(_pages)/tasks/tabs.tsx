import { Gaps } from "@/components/results/Gaps.tsx";
import { OUTPUT, REVIEW, taskAddress } from "@/components/tasks/task_address.ts";
import type { ShownTab } from "@/components/tasks/TaskTab.tsx";
import type { TabCount } from "@/components/ui/Tabs.tsx";
import { paths } from "@/lib/base/paths.ts";
import { getRunResults } from "@/lib/results/service.ts";
import { gapsOf } from "@/lib/results/view.ts";
import { OVER_TAB } from "@/lib/web/pages/overlay_address.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished } from "@/lib/model/status.ts";
import type { State } from "@/lib/web/state.ts";
import { CHANGES_TAB } from "./changes.tsx";
import { HOSTS_TAB } from "./hosts.tsx";
import { REVIEW_TAB } from "./review.tsx";
import type { TabAsked, TaskTab } from "./tab.ts";
import { TIMELINE_TAB } from "./timeline.tsx";

/** Tabs besides the output, in their order. */
const TASK_TABS: TaskTab[] = [REVIEW_TAB, HOSTS_TAB, TIMELINE_TAB, CHANGES_TAB];

export const isTaskTab = (name: string): boolean => TASK_TABS.some((tab) => tab.name === name);

/** Whether the overlay that a URL opens shows a task's output. */
export const showsOutput = (url: URL): boolean => !isTaskTab(url.searchParams.get(OVER_TAB) ?? "");

/** Returns the tabs of a task and the content of the tab that `url` names. */
export async function taskTab(state: State, task: TaskView, url: URL): Promise<ShownTab> {
  const { ui, scope } = state;
  const address = taskAddress(ui, task, url);
  const about = { state, task, address, which: { preview: task.preview?.confirmed_by === "" } };
  const run = await getRunResults(scope, task.id, about.which);
  const current = TASK_TABS.find(({ name }) => name === address.tab);
  const isOver = isFinished(task.status);
  const asked = run && { ...about, run };
  const tabs = TASK_TABS.filter(({ isFor }) => isFor?.(task) ?? true);
  const [content, ...counts] = await Promise.all([
    asked ? current && showWithGaps(current, asked) : current?.showUntold?.(about),
    ...tabs.map((tab) => asked ? tab.count?.(asked) : undefined),
  ]);
  const wayTo = (
    { name, label = `task_tabs.${name}` }: Pick<TaskTab, "name" | "label">,
    count?: TabCount,
  ) => ({
    id: `task-tab-${name}`,
    label: ui.t(label),
    href: address.href(name),
    current: name === (current?.name ?? OUTPUT),
    count,
    stays: address.isInOverlay ? true as const : "push" as const,
  });
  const page = url.pathname.slice(scope.deps.config.basePath.length) + url.search;
  return {
    tabs: [wayTo({ name: OUTPUT }), ...tabs.map((tab, n) => wayTo(tab, counts[n]))],
    content: content ?? null,
    isReview: current?.name === REVIEW,
    live: current && !isOver ? ui.href(paths.taskEvents(task.project_id, task.id, page)) : null,
  };
}

/**
 * Shows a tab with a note on missing results above it. A task that waits for confirmation has its
 * own texts.
 */
async function showWithGaps(tab: TaskTab, asked: TabAsked) {
  const { state: { ui }, task, run } = asked;
  return (
    <>
      {tab !== REVIEW_TAB && <Gaps ui={ui} gaps={gapsOf(task.status, run)} />}
      {await tab.show(asked)}
    </>
  );
}
