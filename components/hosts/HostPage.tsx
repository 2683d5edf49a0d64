import { ChangeStrip } from "./ChangeStrip.tsx";
import { HostFacts, type ShownFacts } from "./HostFacts.tsx";
import { HostDriftPart } from "@/components/drift/HostDriftPart.tsx";
import { RecapCounts } from "@/components/results/RecapCounts.tsx";
import { ResultChip } from "@/components/results/ResultChip.tsx";
import { LogLink } from "@/components/tasks/TaskTable.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { NameLink } from "@/components/ui/lists/cells.tsx";
import {
  actionsColumn,
  nameColumn,
  stateColumn,
  whenColumn,
} from "@/components/ui/lists/columns.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { Reason } from "@/components/ui/Reason.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { Sentence } from "@/components/ui/Sentence.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { HostChanges } from "@/lib/drift/host_changes.ts";
import type { HostDrift } from "@/lib/drift/schema.ts";
import type { HostRun, ProjectHost } from "@/lib/hosts/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import { may, type Shell } from "@/lib/web/shell.ts";

interface HostPageProps {
  ui: Ui;
  shell: Shell;
  name: string;
  /** The host, and the tasks that ran on it; null if only checks have reached it. */
  reached: { host: ProjectHost; runs: HostRun[]; hasNext: boolean; facts: ShownFacts } | null;
  /** Number of the task that the page's entries are older than; undefined on the first page. */
  before: number | undefined;
  drift: HostDrift[];
  changes: HostChanges[];
}

/** Tasks that ran on a host, latest first, and its states for checked templates. */
export function HostPage(props: HostPageProps) {
  const { ui, shell, name, reached, before, drift, changes } = props;
  const { id, name: project } = shell.project;
  const page = paths.host(id, name);
  const hosts = { label: ui.t("sections.hosts"), href: ui.href(paths.section(id, "hosts")) };
  const forget = reached && may(shell, "manage_resources") && (
    <ButtonLink icon="delete" href={ui.href(paths.host(id, name, "/delete"))} over>
      {ui.t("hosts.forget")}
    </ButtonLink>
  );
  return (
    <>
      <Title ui={ui} parts={[name, ui.t("sections.hosts"), project]} />
      <PageHeader
        title={<span class="break-words">{visible(name)}</span>}
        above={<Breadcrumb ui={ui} crumbs={[hosts]} />}
        actions={forget}
      />
      {reached && <Runs {...props} {...reached} page={page} />}
      {!before && <HostDriftPart {...{ ui, projectId: id, rows: drift, changes, here: page }} />}
      {reached && <HostFacts ui={ui} projectId={id} action={ui.href(page)} facts={reached.facts} />}
    </>
  );
}

type RunsProps =
  & Pick<HostPageProps, "ui" | "shell" | "before">
  & NonNullable<HostPageProps["reached"]>
  & { page: string };

function Runs({ ui, shell, host, runs, before, hasNext, page }: RunsProps) {
  const last = runs.at(-1);
  return (
    <>
      <p class="flex items-center gap-3">
        <ResultChip ui={ui} status={host.status} />
        <ChangeStrip ui={ui} runs={host.runs} />
      </p>
      <Table
        caption={ui.t("hosts.runs")}
        rows={runs}
        rowId={({ task_id }) => `run-${task_id}`}
        columns={columnsOf(ui, shell.project.id, before ? `${page}?before=${before}` : page)}
      />
      <Pagination
        ui={ui}
        newest={before ? ui.href(page) : undefined}
        older={hasNext && last ? ui.href(`${page}?before=${last.task_id}`) : undefined}
        stays
      />
    </>
  );
}

const State = ({ ui, run: { status, complete } }: { ui: Ui; run: HostRun }) => (
  <>
    <ResultChip ui={ui} status={status} />
    {!complete && <div class="text-muted whitespace-nowrap">{ui.t("results.early")}</div>}
  </>
);

const columnsOf = (ui: Ui, projectId: number, here: string): Column<HostRun>[] => [
  nameColumn(
    ui,
    "hosts.run",
    ({ task_id, template_id, template_name, retry_of }) => (
      <div class="run-name">
        <LogLink ui={ui} page={here} id={task_id} />{" "}
        <NameLink text={template_name} href={ui.href(paths.template(projectId, template_id))} />
        {retry_of !== null && (
          <span class="text-muted">
            {" "}
            <Sentence
              ui={ui}
              of="retry.of"
              parts={{ task: <LogLink ui={ui} page={here} id={retry_of} /> }}
            />
          </span>
        )}
      </div>
    ),
  ),
  stateColumn(
    ui,
    "hosts.run_status",
    ({ task_status }) => <StatusChip ui={ui} status={task_status} />,
  ),
  {
    label: ui.t("hosts.status"),
    kind: "text",
    cell: (run) => <State ui={ui} run={run} />,
  },
  {
    label: ui.t("hosts.counts"),
    kind: "text",
    cell: ({ reason, ...run }) =>
      reason
        ? (
          <Reason
            {...{ ui, reason }}
            output={ui.href(paths.over(here, run.task_id))}
            over
            brief
            class="clamp text-danger"
          />
        )
        : <RecapCounts ui={ui} recap={run} />,
  },
  whenColumn(ui, "hosts.ended", "end", { named: false }),
  {
    label: ui.t("hosts.duration"),
    cell: ({ duration_ms }) => (
      <span class="whitespace-nowrap">{ui.exactDuration(duration_ms)}</span>
    ),
  },
  actionsColumn(ui, ({ task_id, host_id }) => (
    <ButtonLink
      kind="quiet"
      href={ui.href(`${paths.taskPage(projectId, task_id)}/hosts?host=${host_id}`)}
    >
      {ui.t("hosts.results")}
    </ButtonLink>
  )),
];
