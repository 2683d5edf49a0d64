import type { VNode } from "preact";
import type { TaskPlace } from "@/components/tasks/task_place.ts";
import type { TabCount } from "@/components/ui/Tabs.tsx";
import { listNumber } from "@/lib/base/list_query.ts";
import type { RunResults } from "@/lib/results/schema.ts";
import type { WhichRun } from "@/lib/output/run_id.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { State } from "@/lib/web/state.ts";

/** Which task is looked at, and where. */
export interface TabAbout {
  state: State;
  task: TaskView;
  place: TaskPlace;
  /** What is shown of one that is previewed: its preview, until that is confirmed. */
  which: WhichRun;
}

/** What a tab is made of. */
export interface TabAsked extends TabAbout {
  run: RunResults;
}

export interface TaskTab {
  /** Its part of the address. */
  name: string;
  /** The key of what it is called; `task_tabs.<name>`, where it does not say. */
  label?: string;
  /** Whether there is a way to it; always, where it does not say. */
  isFor?(task: TaskView): boolean;
  /** The number beside its name, where that tells something. */
  count?(asked: TabAsked): Promise<TabCount | undefined> | TabCount | undefined;
  show(asked: TabAsked): Promise<VNode> | VNode;
  /** What it shows where the run has told nothing. */
  showUntold?(about: TabAbout): Promise<VNode> | VNode;
}

/** A number of the tab's address; what is none is as if it were not there. */
export const numberAsked = ({ place }: TabAsked, name: string): number | undefined =>
  listNumber(0).parse(place.asked.get(name) ?? undefined);
