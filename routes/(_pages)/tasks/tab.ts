import type { VNode } from "preact";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import type { TabCount } from "@/components/ui/Tabs.tsx";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import type { RunResults } from "@/lib/results/schema.ts";
import type { WhichRun } from "@/lib/output/run_id.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { State } from "@/lib/web/state.ts";

/** Task and position that a tab shows. */
export interface TabAbout {
  state: State;
  task: TaskView;
  address: TaskAddress;
  /** Results to show: those of the preview until it is confirmed, then those of the task. */
  which: WhichRun;
}

/** Input of a tab. */
export interface TabAsked extends TabAbout {
  run: RunResults;
}

export interface TaskTab {
  /** Name in the URL. */
  name: string;
  /** Locale key of the tab's label; `task_tabs.<name>` by default. */
  label?: string;
  /** Whether the tab has a link; by default always. */
  isFor?(task: TaskView): boolean;
  /** Number next to the label, if it is useful. */
  count?(asked: TabAsked): Promise<TabCount | undefined> | TabCount | undefined;
  show(asked: TabAsked): Promise<VNode> | VNode;
  /** Content of the tab if the task has no results. */
  showUntold?(about: TabAbout): Promise<VNode> | VNode;
}

/** Reads a number from the tab's URL. Invalid numbers are ignored. */
export const numberAsked = ({ address }: TabAsked, name: string): number | undefined =>
  listNumber(0).parse(address.asked.get(name) ?? undefined);
