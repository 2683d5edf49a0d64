import { paths } from "../../lib/base/paths.ts";
import type { RunView } from "../../lib/workflows/run_schema.ts";
import type { Question } from "../../lib/workflows/runs/asking.ts";
import { isEnded } from "../../lib/workflows/step_state.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { ComingTime, Duration } from "../ui/Time.tsx";
import { RunTitle } from "../workflows/RunTable.tsx";
import { StepState } from "../ui/StepState.tsx";
import { DecisionState, OverviewState, type PartProps } from "./OverviewState.tsx";

/** Number of approvals shown. */
const QUESTIONS = 5;

/** Approvals that the reader may give. */
export function Questions(
  { ui, projectId, now, questions, isOnly }:
    & PartProps
    & { questions: Question[]; isOnly: boolean },
) {
  return (
    <DecisionState
      isOnly={isOnly}
      name="questions"
      icon="waiting_confirmation"
      tone="warning"
      label={ui.t("overview.states.questions", { count: questions.length })}
    >
      <ul>
        {questions.slice(0, QUESTIONS).map(({ run, stepId, name, approved, needed, until }) => (
          <li id={`question-${run.id}-${stepId}`}>
            <RunTitle ui={ui} run={run} isMixed />
            <span class="overview-facts">
              <span>{ui.t("approvals.title", { name: ui.tell(name) })}</span>
              {needed > 1 && <span>{ui.t("approvals.progress", { count: approved, needed })}</span>}
              {until && <ComingTime ui={ui} at={until} now={now} />}
            </span>
            <span class="overview-actions">
              <ButtonLink href={`${hrefOf(run)}#decision-${stepId}`}>
                {ui.t("preview.review")} <span class="sr-only">{`#${run.id}`}</span>
              </ButtonLink>
            </span>
          </li>
        ))}
      </ul>
      <MoreRuns {...{ ui, projectId }} count={questions.length - QUESTIONS} status={["approval"]} />
    </DecisionState>
  );

  function hrefOf({ workflow_id, id }: RunView): string {
    return ui.href(paths.workflowRun(projectId, workflow_id, id));
  }
}

/** Runs of workflows that have not ended, latest first. */
export function OpenRuns(
  { ui, projectId, now, runs, count }: PartProps & { runs: RunView[]; count: number },
) {
  return (
    <OverviewState
      name="runs"
      icon="workflows"
      label={ui.t("overview.states.runs", { count })}
    >
      <ul>
        {runs.map((run) => (
          <li id={`open-run-${run.id}`}>
            <RunTitle ui={ui} run={run} isMixed hasReason />
            <span class="overview-facts">
              <StepState ui={ui} state={run.status} />
              <span>
                {ui.t("overview.steps", {
                  count: run.states.filter(isEnded).length,
                  of: run.states.length,
                })}
              </span>
              <Duration ui={ui} start={run.created} end={null} now={now} />
            </span>
          </li>
        ))}
      </ul>
      <MoreRuns
        {...{ ui, projectId }}
        count={count - runs.length}
        status={["running", "approval"]}
      />
    </OverviewState>
  );
}

interface MoreRunsProps extends Pick<PartProps, "ui" | "projectId"> {
  /** Number of runs that are not shown. */
  count: number;
  status: string[];
}

/** Link to the runs that are not shown; nothing if there are none. */
export function MoreRuns({ ui, projectId, count, status }: MoreRunsProps) {
  if (count <= 0) return null;
  const all = new URLSearchParams(status.map((one) => ["status", one]));
  return (
    <p class="m-0">
      <a href={`${ui.href(paths.section(projectId, "runs"))}?${all}`}>
        {ui.t("overview.more", { count })}
      </a>
    </p>
  );
}
