import { paths } from "@/lib/base/paths.ts";
import type { TableState } from "@/lib/base/lists/table_state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { BusyRunner, RunnerLists } from "@/lib/uses/runner_tasks.ts";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { ChangeLinks } from "../ui/lists/ChangeLinks.tsx";
import { actionsColumn, nameColumn, stateColumn, whenColumn } from "../ui/lists/columns.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { FilteredTable } from "../ui/lists/FilteredTable.tsx";
import { PageHeader } from "../ui/Page.tsx";
import { briefLook, Reason } from "../ui/Reason.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { type RunnersPlace, RunnersTitle } from "./place.tsx";
import { RunnerState, stateText } from "./RunnerState.tsx";

interface RunnersPageProps extends Pick<RunnerLists, "own" | "serving"> {
  ui: Ui;
  place: RunnersPlace;
  state: TableState;
  /** Names of projects, for admins. */
  projects: ReadonlyMap<number, string>;
}

/** The runners of a project, or all runners for admins. */
export function RunnersPage(
  { ui, place, own, serving, state, projects }: RunnersPageProps,
) {
  const { projectId, mayManage } = place;
  const add = mayManage && (
    <ButtonLink kind="primary" icon="plus" href={ui.href(paths.runner(projectId, "new"))} over>
      {ui.t("runners.new")}
    </ButtonLink>
  );
  return (
    <>
      <RunnersTitle ui={ui} place={place} />
      <PageHeader
        title={ui.t("runners.title")}
        actions={mayManage && (
          <>
            <ButtonLink icon="keys" href={ui.href(paths.runners(projectId, "/tokens"))}>
              {ui.t("runners.tokens.title")}
            </ButtonLink>{" "}
            {add}
          </>
        )}
      />
      <FilteredTable
        ui={ui}
        id="runners"
        path={ui.href(paths.runners(projectId))}
        state={state}
        caption={ui.t("runners.title")}
        rows={own}
        rowId={({ id }) => `runner-${id}`}
        columns={columnsOf(ui, place, projects)}
        noMatch="runners.no_match"
        empty={
          <EmptyState icon="runners" title={ui.t("runners.empty")}>
            <p>{ui.t("runners.about")}</p>
            {mayManage && (
              <>
                <p>{ui.t("runners.first_steps")}</p>
                <p class="m-0">{add}</p>
              </>
            )}
          </EmptyState>
        }
      />
      {serving.length > 0 && (
        <section aria-labelledby="serving-title">
          <h2 id="serving-title">{ui.t("runners.serving")}</h2>
          <p class="text-muted">{ui.t("runners.serving_hint")}</p>
          <Table
            caption={ui.t("runners.serving")}
            rows={serving}
            rowId={({ id }) => `runner-${id}`}
            columns={columnsOf(ui, { ...place, mayManage: false }, new Map())}
          />
        </section>
      )}
    </>
  );
}

function columnsOf(
  ui: Ui,
  { projectId, mayManage }: RunnersPlace,
  projects: ReadonlyMap<number, string>,
): ListColumn<BusyRunner>[] {
  const its = (id: number) => ui.href(paths.runner(projectId, id));
  const projectOf = ({ project_id }: BusyRunner) =>
    project_id === null ? "" : projects.get(project_id) ?? "";
  return [
    nameColumn(ui, "resources.name", ({ name }) => name, { href: ({ id }) => its(id) }),
    stateColumn(ui, "runners.state.label", (runner) => (
      <>
        <RunnerState ui={ui} runner={runner} />
        {runner.reason && <Reason ui={ui} reason={runner.reason} brief class={briefLook(false)} />}
      </>
    ), {
      id: "state",
      value: (runner) => stateText(ui, runner),
    }),
    ...projects.size === 0 ? [] : [{
      id: "project",
      label: ui.t("queue.project"),
      kind: "text" as const,
      value: projectOf,
      cell: (runner: BusyRunner) => projectOf(runner) || <Dash />,
    }],
    {
      id: "labels",
      label: ui.t("runners.labels"),
      kind: "text",
      value: ({ tags }) => tags.join(" "),
      cell: ({ tags }) => tags.length > 0 ? tags.join(", ") : <Dash />,
    },
    ...factColumns(ui),
    ...mayManage
      ? [actionsColumn<BusyRunner>(ui, ({ id, name }) => (
        <ChangeLinks
          ui={ui}
          name={name}
          remove={`${its(id)}/delete`}
          edit={`${its(id)}/edit`}
          over
        />
      ))]
      : [],
  ];
}

/** Columns of facts, which cards show with their labels. */
const factColumns = (ui: Ui): ListColumn<BusyRunner>[] => [
  {
    id: "tasks",
    label: ui.t("runners.tasks"),
    named: true,
    value: ({ running }) => running,
    cell: (runner) => <span class="whitespace-nowrap">{tasksText(ui, runner)}</span>,
  },
  {
    id: "version",
    label: ui.t("runners.version"),
    named: true,
    value: ({ version }) => version ?? "",
    cell: ({ version }) => version ?? <Dash />,
  },
  {
    id: "ansible",
    label: ui.t("runners.ansible"),
    named: true,
    value: ({ ansible }) => ansibleVersion(ansible),
    cell: ({ ansible }) => ansibleVersion(ansible) || <Dash />,
  },
  whenColumn(ui, "runners.last_seen", "touched", {
    id: "seen",
    usual: "desc",
    value: ({ touched }) => touched ?? "",
    ticks: true,
  }),
];

/** The number of current tasks, and the limit if there is one. */
export function tasksText(
  ui: Ui,
  { running, max_parallel_tasks, slots }: Pick<
    BusyRunner,
    "running" | "max_parallel_tasks" | "slots"
  >,
): string {
  const total = Math.min(max_parallel_tasks || Infinity, slots ?? Infinity);
  if (total === Infinity) return ui.number(running);
  return ui.t("lists.shown_of", { rows: running, total });
}

/** Returns the version in the first line of `ansible-playbook --version`. */
const ansibleVersion = (line: string | null): string =>
  /\d{1,4}\.\d{1,4}[\w.]{0,20}/.exec(line ?? "")?.[0] ?? "";
