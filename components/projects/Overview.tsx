import type { loadOverview } from "@/routes/(_pages)/overview.ts";
import type { PartProps } from "./OverviewPart.tsx";
import { Confirming } from "./OverviewConfirming.tsx";
import { Running, Waiting } from "./OverviewQueue.tsx";
import { Coming, Failed } from "./OverviewNews.tsx";
import { DaysTrend } from "../trends/DaysTrend.tsx";
import type { DayRuns } from "../../lib/tasks/trends/schema.ts";

interface OverviewProps extends PartProps {
  overview: Awaited<ReturnType<typeof loadOverview>>;
  days: DayRuns[];
  /** Start of the period in which failures count as recent, in milliseconds. */
  since: number;
}

/** Current state of a project, with a section for each topic that has content. */
export function Overview({ overview, days, since, ...props }: OverviewProps) {
  const { running, confirming, waiting, failed, nextRuns } = overview;
  const news = failed.filter(({ end }) => end && Date.parse(end) > since);
  return (
    <div id="overview" class="overview">
      {confirming.count > 0 && <Confirming {...props} {...confirming} />}
      {running.count > 0 && <Running {...props} {...running} />}
      {waiting.count > 0 && <Waiting {...props} {...waiting} />}
      {news.length > 0 && <Failed {...props} tasks={news} since={since} />}
      {nextRuns.length > 0 && <Coming {...props} runs={nextRuns} />}
      <DaysTrend ui={props.ui} projectId={props.projectId} days={days} />
    </div>
  );
}
