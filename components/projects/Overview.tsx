import type { loadOverview } from "@/routes/(_pages)/overview.ts";
import type { PartProps } from "./OverviewState.tsx";
import { Confirming } from "./OverviewConfirming.tsx";
import { OpenRuns, Questions } from "./OverviewRuns.tsx";
import { Running, Waiting } from "./OverviewQueue.tsx";
import { Coming, Days, Failed } from "./OverviewNews.tsx";
import type { Question } from "../../lib/workflows/runs/asking.ts";
import type { DayRuns } from "../../lib/tasks/trends/schema.ts";

interface OverviewProps extends PartProps {
  overview: Awaited<ReturnType<typeof loadOverview>>;
  /** Approvals that wait for the reader. */
  questions: Question[];
  days: DayRuns[];
  /** Start of the period in which failures count as recent, in milliseconds. */
  since: number;
}

/**
 * Current state of a project in one strip, so that the history starts on the first screen. Each
 * state opens its list below the strip. A single decision that waits is always listed.
 */
export function Overview({ overview, questions, days, since, ...props }: OverviewProps) {
  const { running, confirming, waiting, nextRuns, runs } = overview;
  const isOnly = questions.length + confirming.count === 1;
  return (
    <div id="overview" class="overview">
      {questions.length > 0 && <Questions {...props} questions={questions} isOnly={isOnly} />}
      {confirming.count > 0 && <Confirming {...props} {...confirming} isOnly={isOnly} />}
      {runs.count > 0 && <OpenRuns {...props} runs={runs.open} count={runs.count} />}
      {running.count > 0 && <Running {...props} {...running} />}
      {waiting.count > 0 && <Waiting {...props} {...waiting} />}
      <Failed {...props} {...overview} since={since} />
      {nextRuns.length > 0 && <Coming {...props} runs={nextRuns} failing={overview.failing} />}
      <Days {...props} days={days} />
    </div>
  );
}
