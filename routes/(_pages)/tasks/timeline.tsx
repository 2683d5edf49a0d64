import { Timeline } from "@/components/results/Timeline.tsx";
import { Ways } from "@/components/results/Ways.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { listRunPlays } from "@/lib/results/service.ts";
import {
  barsFrom,
  orderBars,
  TIMELINE_ORDERS,
  type TimelineBar,
  timelineBars,
} from "@/lib/results/timeline.ts";
import { isFinished } from "@/lib/model/status.ts";
import { numberAsked, type TabAsked, type TaskTab } from "./tab.ts";
import { showTask } from "./play_task.tsx";

/** Rows per page. */
const PAGE_BARS = 100;

/** Tab with the durations of plays and Ansible tasks. */
export const TIMELINE_TAB: TaskTab = { name: "timeline", show: showTimeline };

async function showTimeline(asked: TabAsked) {
  const { state: { scope, ui }, task, address, run, which } = asked;
  const plays = await listRunPlays(scope, task.id, which);
  const wanted = numberAsked(asked, "task");
  const playTask = plays.flatMap(({ tasks }) => tasks).find(({ id }) => id === wanted);
  if (playTask) return await showTask(asked, playTask);
  const order = TIMELINE_ORDERS.find((order) => order === address.asked.get("order")) ?? "run";
  const isOver = isFinished(task.status) || run.complete;
  const now = isOver ? null : scope.deps.clock.now().getTime();
  const start = Date.parse(run.start);
  const all = timelineBars(plays, start, now);
  const bars = orderBars(all, order);
  const skip = Math.min(numberAsked(asked, "skip") ?? 0, Math.max(0, bars.length - 1));
  const rows = bars.slice(skip, skip + PAGE_BARS).length;
  const pageAt = (skip: number, its: string = order) =>
    address.href("timeline", {
      order: its === "run" ? undefined : its,
      skip: skip || undefined,
    });
  const hrefOf = ({ task, index: at }: TimelineBar) =>
    task ? address.href("timeline", { task: task.id }) : pageAt(at, "run");
  return (
    <>
      <Ways
        id="timeline"
        label={ui.t("timeline.order")}
        ways={TIMELINE_ORDERS.map((name) => ({
          name,
          text: ui.t(`timeline.orders.${name}`),
          href: pageAt(0, name),
          current: name === order,
        }))}
      />
      <Timeline
        {...{ ui, address, hrefOf }}
        bars={barsFrom(bars, skip, PAGE_BARS)}
        totalMs={Math.max(Date.parse(run.end), now ?? 0) - start}
      />
      <Pagination
        ui={ui}
        newest={skip > 0 ? pageAt(Math.max(0, skip - PAGE_BARS)) : undefined}
        older={skip + PAGE_BARS < bars.length ? pageAt(skip + PAGE_BARS) : undefined}
        labels={[ui.t("results.previous"), ui.t("results.next")]}
        shown={{ skipped: skip, rows, of: { count: bars.length, isMore: false } }}
        stays
      />
    </>
  );
}
