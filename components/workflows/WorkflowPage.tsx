import { RuleLine } from "@/components/access/RuleLine.tsx";
import type { ShownRules } from "@/lib/rights/shown_rule.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { may, type Shell } from "@/lib/web/shell.ts";
import type { StepTrend } from "@/lib/workflows/step_trends.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import { STEP_KINDS, STEPS_MAX, type WorkflowView } from "@/lib/workflows/schema.ts";
import { Alert } from "../ui/Alert.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { ChangeLinks } from "../ui/lists/ChangeLinks.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { Fact, Facts } from "../ui/Facts.tsx";
import { Breadcrumb, PageHeader, Title } from "../ui/Page.tsx";
import type { GraphLayout } from "@/lib/workflows/drawing.ts";
import { RunTrend, StepTrends } from "./RunTrend.tsx";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { Triggers } from "./Triggers.tsx";
import { RunTable } from "./RunTable.tsx";
import { detailText, stepName, type StepNames } from "./step_texts.ts";
import { StepTable } from "./StepTable.tsx";
import { KIND_ICONS, WorkflowGraph } from "./WorkflowGraph.tsx";

interface WorkflowPageProps {
  ui: Ui;
  shell: Shell;
  workflow: WorkflowView;
  rules: ShownRules;
  layout: GraphLayout;
  names: StepNames;
  /** Triggers that start it. */
  schedules: ScheduleView[];
  integrations: { id: number; name: string }[];
  /** The latest runs. */
  runs: RunView[];
  trends: StepTrend[];
  /** Address of the event stream about the runs. */
  live: string;
  now: Date;
}

/** Number of runs in the list. The chart has more. */
const RUNS_SHOWN = 10;

/** A workflow: its steps as a graph and as a table, and its latest runs. */
export function WorkflowPage(props: WorkflowPageProps) {
  const { ui, shell, workflow, rules, layout, names, runs, trends, live, now } = props;
  const { project_id: projectId, name, description, steps, survey_vars } = workflow;
  const mayChange = may(shell, "manage_resources") && rules.mayEdit;
  const title = ui.t("sections.workflows");
  const list = ui.href(paths.section(projectId, "workflows"));
  return (
    <>
      <Title ui={ui} parts={[name, title, shell.project.name]} />
      <PageHeader
        title={<span class="break-words">{name}</span>}
        above={<Breadcrumb ui={ui} crumbs={[{ label: title, href: list }]} />}
        actions={<Actions {...{ ui, shell, workflow, rules }} />}
      />
      {description && <Alert class="mb-4">{description}</Alert>}
      <Facts class="mb-4">
        <Fact label={ui.t("survey.title")}>
          {ui.list(survey_vars.map(({ title }) => title))}
        </Fact>
      </Facts>
      <RuleLine
        {...{ ui, projectId, rules }}
        who={paths.workflow(projectId, workflow.id, "/who")}
      />
      <section aria-labelledby="steps-title">
        <h2 id="steps-title">{ui.t("workflows.steps")}</h2>
        {steps.length === 0
          ? (
            <EmptyState icon="workflows" title={ui.t("workflows.no_steps")}>
              <p>{ui.t(mayChange ? "workflows.first_step" : "workflows.about")}</p>
            </EmptyState>
          )
          : (
            <>
              <WorkflowGraph
                ui={ui}
                layout={layout}
                steps={steps.map((step) => ({
                  id: step.id,
                  kind: step.kind,
                  name: stepName(ui, step, names),
                  detail: detailText(ui, step, names),
                  href: mayChange
                    ? ui.href(paths.workflowStep(projectId, workflow.id, step.id))
                    : undefined,
                }))}
              />
              <StepTable {...{ ui, workflow, names, mayChange }} />
            </>
          )}
        {mayChange && steps.length < STEPS_MAX && <AddStep ui={ui} workflow={workflow} />}
      </section>
      <Triggers {...props} />
      <section id="live" aria-labelledby="runs-title" data-live={live}>
        <h2 id="runs-title">{ui.t("workflows.latest_runs")}</h2>
        <RunTrend {...{ ui, runs, now }} />
        <RunTable {...{ ui, now }} runs={runs.slice(0, RUNS_SHOWN)} />
        {runs.length > RUNS_SHOWN && (
          <p>
            <a href={`${ui.href(paths.section(projectId, "runs"))}?workflow=${workflow.id}`}>
              {ui.t("workflows.all_runs")}
            </a>
          </p>
        )}
      </section>
      <StepTrends {...{ ui, workflow, names, trends }} />
    </>
  );
}

const AddStep = ({ ui, workflow }: Pick<WorkflowPageProps, "ui" | "workflow">) => (
  <p class="flex flex-wrap gap-2">
    {STEP_KINDS.map((kind, n) => (
      <ButtonLink
        key={n}
        icon={KIND_ICONS[kind]}
        href={`${
          ui.href(paths.workflow(workflow.project_id, workflow.id, "/steps/new"))
        }?kind=${kind}`}
        over
      >
        {ui.t(`workflows.add.${kind}`)}
      </ButtonLink>
    ))}
  </p>
);

function Actions(
  { ui, shell, workflow, rules }: Pick<WorkflowPageProps, "ui" | "shell" | "workflow" | "rules">,
) {
  const { project_id: projectId, id, name, steps } = workflow;
  const at = (part: "/run" | "/delete" | "/edit") => ui.href(paths.workflow(projectId, id, part));
  return (
    <>
      {may(shell, "manage_resources") && rules.mayEdit && (
        <ChangeLinks ui={ui} name={name} remove={at("/delete")} edit={at("/edit")} over />
      )}
      {may(shell, "run_tasks") && rules.mayRun && steps.length > 0 && (
        <ButtonLink kind="primary" icon="play" href={at("/run")} over>
          {ui.t("workflows.run")}
        </ButtonLink>
      )}
    </>
  );
}
