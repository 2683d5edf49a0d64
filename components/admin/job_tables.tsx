import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import {
  type JobCountsView,
  JOBS_COUNTED_MAX,
  type SetAsideView,
} from "../../lib/monitoring/jobs/schema.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Dash, Name } from "../ui/lists/cells.tsx";
import { actionsColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { Table } from "../ui/lists/Table.tsx";

/** Returns the name of a kind in plain words. One of another version has none. */
export function jobKindName(ui: Ui, kind: string): string {
  const key = `jobs.kind.${kind}`;
  const name = ui.t(key);
  return name === key ? kind : name;
}

/** All kinds of work, with buttons for what was set aside. */
export const JobKindTable = ({ ui, kinds }: { ui: Ui; kinds: JobCountsView[] }) => (
  <Table<JobCountsView>
    caption={ui.t("jobs.kinds")}
    rows={kinds}
    rowId={({ kind }) =>
      `kind-${kind}`}
    columns={[
      nameColumn(
        ui,
        "jobs.work",
        ({ kind }) => (
          <span class="first-letter:capitalize inline-block">{jobKindName(ui, kind)}</span>
        ),
      ),
      { label: ui.t("jobs.waiting"), named: true, cell: ({ waiting }) => count(ui, waiting) },
      { label: ui.t("jobs.running"), named: true, cell: ({ running }) => count(ui, running) },
      {
        label: ui.t("jobs.late"),
        named: true,
        cell: ({ late }) => count(ui, late, "text-warning"),
      },
      {
        label: ui.t("jobs.set_aside"),
        named: true,
        cell: ({ set_aside }) => count(ui, set_aside, "text-danger"),
      },
      actionsColumn(ui, ({ kind, set_aside }) =>
        set_aside > 0 && <JobActions ui={ui} of={{ kind }} about={jobKindName(ui, kind)} all />),
    ]}
  />
);

/** A number. Those of problems have a color unless they are 0. */
const count = (ui: Ui, value: number, tone = "") => (
  <span class={value === 0 ? "text-muted" : tone}>
    {value < JOBS_COUNTED_MAX ? ui.number(value) : ui.t("lists.at_least", { number: value })}
  </span>
);

/** Jobs that were set aside, the latest first, each with its reason. */
export const SetAsideTable = ({ ui, jobs }: { ui: Ui; jobs: SetAsideView[] }) => (
  <Table<SetAsideView>
    caption={ui.t("jobs.set_aside")}
    rows={jobs}
    rowId={({ id }) =>
      `job-${id}`}
    empty={<EmptyState icon="success" title={ui.t("jobs.none")} />}
    columns={[
      nameColumn(ui, "jobs.work", ({ id, kind, reason }) => (
        <>
          <Name text={`${jobKindName(ui, kind)} (${id})`} />
          <p class="m-0 text-sm text-danger">{ui.tell(reason)}</p>
        </>
      )),
      {
        label: ui.t("queue.project"),
        kind: "text",
        cell: ({ project_id, project_name }) =>
          project_id !== null && project_name !== null
            ? (
              <a href={ui.href(paths.project(project_id))}>
                <Name text={project_name} />
              </a>
            )
            : <Dash />,
      },
      whenColumn(ui, "jobs.since", "since"),
      {
        label: ui.t("jobs.attempts"),
        named: true,
        cell: ({ attempts }) => ui.number(attempts),
      },
      actionsColumn(ui, ({ id }) => <JobActions ui={ui} of={{ job: id }} about={id} />),
    ]}
  />
);

interface JobActionsProps {
  ui: Ui;
  /** The job, or the kind of all of them. */
  of: { job: string } | { kind: string };
  about: string;
  all?: boolean;
}

function JobActions({ ui, of, about, all = false }: JobActionsProps) {
  const [[name, value]] = Object.entries(of);
  const spoken = <span class="sr-only">{` ${about}`}</span>;
  return (
    <form
      method="post"
      action={ui.href(paths.adminJobs())}
      class="flex max-sm:flex-wrap gap-2"
      data-stay
    >
      <Button name={name} value={value} icon="refresh">
        {ui.t(all ? "jobs.retry_all" : "jobs.retry")}
        {spoken}
      </Button>
      <ButtonLink
        kind="quiet"
        href={ui.href(`${paths.adminJobs("/discard")}?${new URLSearchParams(of)}`)}
        over
      >
        {ui.t(all ? "jobs.discard_all" : "jobs.discard")}
        {spoken}
      </ButtonLink>
    </form>
  );
}
