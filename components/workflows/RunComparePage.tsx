import { paths } from "@/lib/base/paths.ts";
import type { ComparedFact, FactValue } from "@/lib/compare/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { RunComparison, RunSide } from "@/lib/workflows/compare_schema.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import { Facts } from "../compare/Facts.tsx";
import { RunPicker } from "../compare/RunPicker.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { Breadcrumb, PageHeader, Title } from "../ui/Page.tsx";
import { ComparedSteps } from "./ComparedSteps.tsx";
import { starterText } from "./Starter.tsx";

interface RunComparePageProps {
  ui: Ui;
  /** The project's name. */
  project: string;
  workflow: { id: number; project_id: number; name: string };
  /** The runs that can be chosen, latest first. */
  choices: RunView[];
  /** Null for a workflow that never ran. */
  compared: RunComparison | null;
}

/** Two runs of a workflow side by side: their facts and answers, and their steps. */
export function RunComparePage(
  { ui, project, workflow, choices, compared }: RunComparePageProps,
) {
  const { id, project_id: projectId, name } = workflow;
  const title = ui.t("workflows.compare");
  const crumbs = [
    { label: ui.t("sections.workflows"), href: ui.href(paths.workflows(projectId)) },
    { label: name, href: ui.href(paths.workflow(projectId, id)) },
  ];
  const heading = (run: RunSide) => (
    <th scope="col">
      <a href={ui.href(paths.workflowRun(projectId, id, run.id))}>{`#${run.id}`}</a>
    </th>
  );
  return (
    <>
      <Title ui={ui} parts={[title, name, project]} />
      <PageHeader title={title} above={<Breadcrumb ui={ui} crumbs={crumbs} />} />
      {compared && (
        <RunPicker
          ui={ui}
          page={ui.href(paths.workflow(projectId, id, "/compare"))}
          label={ui.t("workflows.run_label")}
          choices={choices}
          run={compared.run}
          base={compared.base}
          statusText={({ status }) => ui.t(`workflows.state.${status}`)}
        />
      )}
      {compared?.base
        ? (
          <>
            <Facts
              ui={ui}
              facts={factsOf(ui, compared, compared.base)}
              headings={
                <>
                  {heading(compared.run)}
                  {heading(compared.base)}
                </>
              }
              nothing={ui.t("workflows.nothing_differs")}
              both={ui.t("workflows.both")}
            />
            <ComparedSteps ui={ui} projectId={projectId} compared={compared} />
          </>
        )
        : (
          <EmptyState
            icon="info"
            title={ui.t(compared ? "workflows.no_base" : "workflows.no_runs")}
          />
        )}
    </>
  );
}

/** Facts and answers of both runs. */
function factsOf(ui: Ui, { run, answers }: RunComparison, base: RunSide): ComparedFact[] {
  const fact = (label: string, of: (side: RunSide) => FactValue): ComparedFact => {
    const [a, b] = [of(run), of(base)];
    return { label, run: a, base: b, differs: JSON.stringify(a) !== JSON.stringify(b) };
  };
  return [
    fact("tasks.status_label", ({ status }) => ({ key: `workflows.state.${status}` })),
    fact("workflows.version", ({ version }) => ui.number(version)),
    fact("workflows.message", ({ message }) => visible(message)),
    fact("tasks.started_by", (side) => starterText(ui, side)),
    fact(
      "results.duration",
      ({ created, end }) => end ? { ms: Date.parse(end) - Date.parse(created) } : "",
    ),
    ...answers.map(({ title, run, base, differs }): ComparedFact => ({
      label: visible(title),
      of: "answer",
      run: visible(run ?? ""),
      base: visible(base ?? ""),
      differs,
    })),
  ];
}
