import { toolNames } from "@/lib/base/machine/machine_tools.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunnerState as State } from "@/lib/runners/schema.ts";
import type { BusyRunner, RunnerTask } from "@/lib/uses/runner_tasks.ts";
import { EndReason } from "../tasks/EndReason.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Name } from "../ui/lists/cells.tsx";
import { nameColumn, stateColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Fact, Facts } from "../ui/Facts.tsx";
import { PageHeader } from "../ui/Page.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { Duration, Time } from "../ui/Time.tsx";
import { RunnersCrumb, type RunnersPlace, RunnersTitle } from "./place.tsx";
import { RunnerState } from "./RunnerState.tsx";
import { tasksText } from "./RunnersPage.tsx";

interface RunnerPageProps {
  ui: Ui;
  place: RunnersPlace;
  runner: BusyRunner;
  tasks: RunnerTask[];
  /** Names of the projects that it serves, for admins; empty for all. */
  projects: string[];
  now: Date;
}

/** A runner with its facts, its current and latest tasks, and the buttons that change it. */
export function RunnerPage({ ui, place, runner, tasks, projects, now }: RunnerPageProps) {
  const { projectId } = place;
  const { name, description, ansible, platform, isolation, version, tags, pythons, uv, podman } =
    runner;
  return (
    <>
      <RunnersTitle ui={ui} place={place} parts={[name]} />
      <PageHeader
        title={<span class="break-words">{name}</span>}
        above={<RunnersCrumb ui={ui} place={place} />}
        actions={place.mayManage && <Actions ui={ui} place={place} runner={runner} />}
      />
      {description && <p>{description}</p>}
      <Facts class="mb-4">
        <Fact label={ui.t("runners.state.label")}>
          <RunnerState ui={ui} runner={runner} />
        </Fact>
        <Fact label={ui.t("runners.tasks")}>{tasksText(ui, runner)}</Fact>
        <Fact label={ui.t("runners.labels")}>{tags.join(", ")}</Fact>
        {runner.project_id === null && projectId === null && (
          <Fact label={ui.t("runners.projects")}>
            {projects.length > 0 ? ui.list(projects) : ui.t("runners.all_projects")}
          </Fact>
        )}
        <Fact label={ui.t("runners.last_seen")}>
          {runner.touched && <Time ui={ui} at={runner.touched} ticks />}
        </Fact>
        <Fact label={ui.t("runners.version")}>{version}</Fact>
        <Fact label={ui.t("runners.ansible")}>{ansible}</Fact>
        <Fact label={ui.t("runners.platform")}>{platform}</Fact>
        <Fact label={ui.t("runners.isolation")}>{isolation}</Fact>
        <Fact label={ui.t("sections.toolchains")}>
          {pythons && ui.list(toolNames({ pythons, uv, podman }))}
        </Fact>
      </Facts>
      <WhyAway ui={ui} place={place} runner={runner} />
      <section aria-labelledby="tasks-title">
        <h2 id="tasks-title">{ui.t("runners.latest_tasks")}</h2>
        <Table
          caption={ui.t("runners.latest_tasks")}
          rows={tasks}
          rowId={({ id }) => `task-${id}`}
          columns={taskColumns(ui, projectId === null, now)}
          empty={<p class="text-muted">{ui.t("runners.no_tasks")}</p>}
        />
        {projectId !== null && tasks.length > 0 && (
          <p>
            <a href={`${ui.href(paths.section(projectId, "history"))}?runner=${runner.id}`}>
              {ui.t("runners.all_tasks")}
            </a>
          </p>
        )}
      </section>
    </>
  );
}

/** States that a runner may be set to from another one, with their buttons. */
const WAYS: Record<State, readonly State[]> = {
  active: ["paused", "draining"],
  paused: ["active", "draining"],
  draining: ["active"],
};

/** Why a runner takes no new tasks, and what to do next. */
function WhyAway({ ui, place, runner }: Pick<RunnerPageProps, "ui" | "place" | "runner">) {
  const { registered, reason } = runner;
  if (!reason || typeof reason.message === "string") return null;
  const { key, params = {} } = reason.message;
  const command = params.command && <code>{String(params.command)}</code>;
  return (
    <Alert kind="warning" class="mb-4">
      <p>
        <Sentence ui={ui} of={key} params={params} parts={command ? { command } : {}} />
      </p>
      {!registered && place.mayManage && <NewToken ui={ui} place={place} runner={runner} />}
    </Alert>
  );
}

const NewToken = (
  { ui, place: { projectId }, runner }: Pick<RunnerPageProps, "ui" | "place" | "runner">,
) => (
  <form
    method="post"
    action={ui.href(paths.runner(projectId, runner.id, "/token"))}
    class="inline-flex"
  >
    <Button icon="keys">{ui.t("runners.new_token")}</Button>
  </form>
);

function Actions(
  { ui, place, runner }: Pick<RunnerPageProps, "ui" | "place" | "runner">,
) {
  const at = (part: "/edit" | "/state" | "/revoke" | "/delete") =>
    ui.href(paths.runner(place.projectId, runner.id, part));
  return (
    <>
      <form method="post" action={at("/state")} data-stay class="inline-flex flex-wrap gap-2">
        {WAYS[runner.state].map((state, n) => (
          <Button key={n} name="state" value={state} title={ui.t(`runners.set_hint.${state}`)}>
            {ui.t(`runners.set.${state}`)}
          </Button>
        ))}
      </form>
      {runner.registered && <NewToken ui={ui} place={place} runner={runner} />}
      <ButtonLink icon="edit" href={at("/edit")} over>{ui.t("runners.edit")}</ButtonLink>
      {runner.registered && (
        <ButtonLink icon="lock" href={at("/revoke")} over>{ui.t("runners.revoke")}</ButtonLink>
      )}
      <ButtonLink kind="danger" icon="delete" href={at("/delete")} over>
        {ui.t("actions.delete")}
      </ButtonLink>
    </>
  );
}

const taskColumns = (ui: Ui, withProject: boolean, now: Date): Column<RunnerTask>[] => [
  nameColumn(
    ui,
    "queue.task",
    ({ tpl_alias, ...task }) => (
      <span class={task.reason ? "run-name has-reason" : "run-name"}>
        <a href={ui.href(paths.task(task.project_id, task.template_id, task.id))}>
          {`#${task.id}`}
        </a>{" "}
        <Name text={tpl_alias} /> <EndReason ui={ui} task={task} brief />
      </span>
    ),
  ),
  stateColumn(ui, "tasks.status_label", ({ status }) => <StatusChip ui={ui} status={status} />),
  ...withProject
    ? [{
      label: ui.t("queue.project"),
      kind: "text" as const,
      cell: ({ project_name }: RunnerTask) => project_name,
    }]
    : [],
  whenColumn(ui, "tasks.start", "start", { now, named: false }),
  {
    label: ui.t("tasks.duration"),
    cell: ({ start, end }) => <Duration ui={ui} start={start} end={end} now={now} />,
  },
];
