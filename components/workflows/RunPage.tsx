import type { ComponentChildren } from "preact";
import { paths } from "@/lib/base/paths.ts";
import { plainReason } from "@/lib/base/reason.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import { may, type Shell } from "@/lib/web/shell.ts";
import type { RunStepView, WholeRunView } from "@/lib/workflows/run_schema.ts";
import { ApprovalMessage, AskedAgain, RuleFacts, VoteForm, Votes } from "../approvals/Approval.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { RunCommands, StopRun } from "./RunCommands.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { nameColumn, stateColumn } from "../ui/lists/columns.tsx";
import { Title } from "../ui/Page.tsx";
import { RunFact, RunHead } from "../ui/RunHead.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { ComingTime, Duration, Time } from "../ui/Time.tsx";
import type { GraphLayout } from "@/lib/workflows/drawing.ts";
import { startText } from "./step_texts.ts";
import { RunReason } from "./RunReason.tsx";
import { Starter, starterText } from "./Starter.tsx";
import { StepState } from "../ui/StepState.tsx";
import { WorkflowGraph } from "./WorkflowGraph.tsx";

interface RunPageProps {
  ui: Ui;
  shell: Shell;
  run: WholeRunView;
  layout: GraphLayout;
  now: Date;
  mayStop: boolean;
}

/** A run of a workflow: its status, its steps, and the decisions that it waits for. */
export function RunPage(props: RunPageProps) {
  const { ui, shell, run, layout, now, mayStop } = props;
  const { project_id: projectId, workflow_id: workflowId, workflow_name: name, id } = run;
  const title = ui.t("workflows.run_title", { id });
  return (
    <>
      <Title ui={ui} parts={[title, name, shell.project.name]} />
      <RunHead
        level={1}
        title={
          <>
            <a href={ui.href(paths.workflow(projectId, workflowId))}>{visible(name)}</a>
            {` #${id}`}
          </>
        }
        status={<StepState ui={ui} state={run.status} />}
        actions={run.end === null
          ? mayStop && <StopRun ui={ui} run={run} />
          : may(shell, "run_tasks") && <RunCommands ui={ui} run={run} />}
        message={visible(run.message)}
        reason={run.reason && run.status !== "approval" && (
          <Alert kind={run.status === "failed" ? "danger" : "warning"} class="task-reason">
            <RunReason ui={ui} run={run} />
          </Alert>
        )}
        always={
          <span class="run-head-fact" title={ui.t("workflows.started")}>
            <Time ui={ui} at={run.created} now={now} ticks />
          </span>
        }
        details={ui.t("tasks.details")}
        links={
          <a href={ui.href(paths.compareRuns(projectId, workflowId, id))}>
            {ui.t("workflows.compare")}
          </a>
        }
      >
        <RunFacts ui={ui} run={run} now={now} />
      </RunHead>
      {run.steps.filter(({ state, kind }) => state === "waiting" && kind === "approval")
        .map((step) => <Decision key={step.id} ui={ui} run={run} step={step} now={now} />)}
      {run.steps.filter(isAsking).map((step) => (
        <Review key={step.id} ui={ui} run={run} step={step} />
      ))}
      <WorkflowGraph
        ui={ui}
        layout={layout}
        steps={run.steps.map((step) => ({
          id: step.id,
          kind: step.kind,
          name: ui.tell(step.name),
          detail: boxDetail(ui, step, now),
          href: hrefOf(ui, run, step) ?? undefined,
          state: shownState(step),
        }))}
      />
      <Table
        caption={ui.t("workflows.steps")}
        columns={stepColumns(ui, run, now)}
        rows={run.steps}
        rowId={({ id }) =>
          `step-${id}`}
      />
    </>
  );
}

/** Facts of a run, folded on phones. */
function RunFacts({ ui, run, now }: Pick<RunPageProps, "ui" | "run" | "now">) {
  const { project_id: projectId, workflow_id: workflowId, again_of, parent, build } = run;
  const addressOf = (id: number, workflow = workflowId) =>
    ui.href(paths.workflowRun(projectId, workflow, id));
  return (
    <>
      <RunFact icon="waiting" label={ui.t("results.duration")}>
        <Duration ui={ui} start={run.created} end={run.end} now={now} />
      </RunFact>
      <RunFact icon="user" label={ui.t("tasks.started_by")} title={starterText(ui, run)}>
        <Starter ui={ui} run={run} />
      </RunFact>
      <RunFact
        icon="build"
        label={ui.t("workflows.build")}
        href={build && ui.href(paths.task(projectId, build.template_id, build.task_id))}
      >
        {build && `#${build.task_id} ${build.version}`}
      </RunFact>
      <RunFact
        icon="rerun"
        label={ui.t("workflows.again_of")}
        href={again_of === null ? null : addressOf(again_of)}
      >
        {again_of && `#${again_of}`}
      </RunFact>
      <RunFact
        icon="workflows"
        label={ui.t("workflows.part_of")}
        href={parent && addressOf(parent.run_id, parent.workflow_id)}
      >
        {parent && `#${parent.run_id}`}
      </RunFact>
    </>
  );
}

interface DecisionProps {
  ui: Ui;
  run: WholeRunView;
  step: RunStepView;
  now: Date;
}

/** A step that waits for approval: its message, its votes and the buttons. */
function Decision({ ui, run, step, now }: DecisionProps) {
  const { project_id: projectId, workflow_id: workflowId, id } = run;
  const { approval, until } = step;
  if (!approval) return null;
  const { message, votes, needed, approved, rule, people, may_vote: mayVote, refusal } = approval;
  const { asked_again: again } = approval;
  return (
    <section
      class="card approval wf-decision"
      tabIndex={-1}
      aria-labelledby={`decision-${step.id}`}
    >
      <h2 id={`decision-${step.id}`}>{ui.t("approvals.title", { name: ui.tell(step.name) })}</h2>
      <AskedAgain ui={ui} reason={again} />
      <ApprovalMessage text={message} />
      <p class="text-muted mt-0 mb-2">{ui.t("approvals.progress", { count: approved, needed })}</p>
      <RuleFacts ui={ui} rule={rule} people={people} of="run" until={until} now={now} />
      <Votes ui={ui} votes={votes} now={now} />
      {!mayVote && <p class="m-0">{ui.tell(refusal)}</p>}
      {mayVote && (
        <VoteForm
          ui={ui}
          action={ui.href(paths.workflowVote(projectId, workflowId, id, step.id))}
          id={`s${step.id}`}
        >
          <Button kind="primary" icon="check" name="status" value="approved">
            {ui.t("approvals.approve")}
          </Button>
          <Button kind="danger" icon="close" name="status" value="rejected">
            {ui.t("approvals.reject")}
          </Button>
        </VoteForm>
      )}
    </section>
  );
}

/** A step whose task waits for a confirmation, or whose nested run waits for approval. */
const Review = ({ ui, run, step }: Omit<DecisionProps, "now">) => (
  <section class="card approval wf-decision" aria-labelledby={`review-${step.id}`}>
    <h2 id={`review-${step.id}`}>{ui.t("approvals.title", { name: ui.tell(step.name) })}</h2>
    <ButtonLink kind="primary" href={hrefOf(ui, run, step) ?? ""}>
      {ui.t("preview.review")} {`#${step.task_id ?? step.run_id}`}
    </ButtonLink>
  </section>
);

/** Whether what a step runs waits for people. */
const isAsking = ({ state, task_status, run_status }: RunStepView): boolean =>
  state === "running" && (task_status === "waiting_confirmation" || run_status === "approval");

const shownState = (step: RunStepView): RunStepView["state"] =>
  isAsking(step) ? "waiting" : step.state;

/** Whether the task of a step has expired or was deleted. */
const isTaskGone = (step: RunStepView): step is RunStepView & { task_id: number } =>
  step.task_id !== null && step.task_status === null;

/** Returns the page of what a step runs: its task or nested run. */
function hrefOf(ui: Ui, run: WholeRunView, step: RunStepView): string | null {
  const { template_id, task_id, workflow_id, run_id } = step;
  if (isTaskGone(step)) return null;
  if (template_id && task_id) return ui.href(paths.task(run.project_id, template_id, task_id));
  if (!workflow_id || !run_id) return null;
  return ui.href(paths.workflowRun(run.project_id, workflow_id, run_id));
}

const boxDetail = (ui: Ui, { state, start, end }: RunStepView, now: Date): string =>
  start && state !== "skipped"
    ? ui.duration((end ? Date.parse(end) : now.getTime()) - Date.parse(start))
    : ui.t(`workflows.state.${state}`);

function stepColumns(ui: Ui, run: WholeRunView, now: Date): Column<RunStepView>[] {
  const named = run.steps.map((step) => ({ ...step, name: ui.tell(step.name) }));
  return [
    { label: "#", named: true, cell: ({ id }) => id },
    nameColumn(ui, "workflows.step", ({ name }) => visible(ui.tell(name)), {
      href: (step) => hrefOf(ui, run, step),
    }),
    stateColumn(ui, "tasks.status_label", (step) => <StepState ui={ui} state={shownState(step)} />),
    {
      label: ui.t("tasks.task"),
      cell: (step) => itsTask(ui, run, step),
    },
    {
      label: ui.t("workflows.starts"),
      kind: "text",
      cell: (step) => startText(ui, named, named[run.steps.indexOf(step)]),
    },
    {
      label: ui.t("workflows.why"),
      kind: "text",
      cell: (step) => stepReason({ ui, run, step, now }),
    },
    {
      label: ui.t("results.duration"),
      cell: ({ start, end }) => <Duration ui={ui} start={start} end={end} now={now} />,
    },
  ];
}

/** Returns why a step ended as it did, or what it waits for. */
function stepReason({ ui, run, step, now }: DecisionProps): ComponentChildren {
  const { kept, state, reason: message, failed_task, approval, until } = step;
  if (kept) return ui.t("workflows.kept");
  if (message) {
    const status = state === "failed" ? state : "stopped";
    const reason = { ...plainReason(message), line: failed_task?.line ?? null };
    return <RunReason ui={ui} run={{ ...run, status, reason, failed_task }} brief />;
  }
  if (isAsking(step)) return ui.t("workflows.state.approval");
  if (state === "waiting" && approval) {
    return ui.t("approvals.progress", { count: approval.approved, needed: approval.needed });
  }
  return until ? <ComingTime ui={ui} at={until} now={now} /> : <Dash />;
}

function itsTask(ui: Ui, run: WholeRunView, step: RunStepView): ComponentChildren {
  if (isTaskGone(step)) return ui.t("workflows.task_deleted", { id: step.task_id });
  const href = hrefOf(ui, run, step);
  const id = step.task_id ?? step.run_id;
  return href && id ? <a href={href}>{`#${id}`}</a> : <Dash />;
}
