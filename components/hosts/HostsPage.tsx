import { ChangeStrip } from "./ChangeStrip.tsx";
import { ResultChip } from "@/components/results/ResultChip.tsx";
import { LatestTask } from "@/components/tasks/LatestTask.tsx";
import { IconLink } from "@/components/ui/Button.tsx";
import { Dash } from "@/components/ui/lists/cells.tsx";
import { actionsColumn, nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { FilterBar } from "@/components/ui/lists/FilterBar.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { briefLook, Reason } from "@/components/ui/Reason.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import { paths } from "@/lib/base/paths.ts";
import {
  HOST_QUERY_LENGTH_MAX,
  type HostCursor,
  type HostsState,
  type ProjectHost,
} from "@/lib/hosts/schema.ts";
import type { Reason as ReasonParts } from "@/lib/base/reason.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { ListPosition } from "@/lib/store/counted.ts";
import { HOST_ORDERS, type HostOrder } from "@/lib/hosts/rows.ts";
import { may, type Shell } from "@/lib/web/shell.ts";

interface HostsPageProps {
  ui: Ui;
  shell: Shell;
  hosts: ProjectHost[];
  /** Why hosts failed, by their names. */
  reasons: ReadonlyMap<string, ReasonParts>;
  state: HostsState;
  /** Hosts after which this page and the next one begin; null if there is none. */
  after: HostCursor | null;
  next: HostCursor | null;
  position: ListPosition;
  /** Version of the hosts as shown. */
  version: string;
}

/** The hosts that a project's tasks have reached, with their latest results. */
export function HostsPage(
  { ui, shell, hosts, reasons, state, after, next, position, version }: HostsPageProps,
) {
  const { id, name } = shell.project;
  const page = paths.section(id, "hosts");
  const isAny = hosts.length > 0 || state.q !== "";
  return (
    <div id="live" data-live={`${ui.href(paths.hostEvents(id))}?since=${version}`}>
      <Title ui={ui} parts={[ui.t("sections.hosts"), name]} />
      <PageHeader title={ui.t("sections.hosts")} />
      {isAny && <HostsFilter ui={ui} page={page} state={state} />}
      <Table
        caption={ui.t("hosts.list")}
        rows={hosts}
        columns={columnsOf(ui, shell, reasons, state, hostsAddress(page, state, after))}
        rowId={(host) => `host-${host.name}`}
        empty={<NoHosts ui={ui} all={ui.href(page)} isAny={isAny} />}
      />
      <Pagination
        ui={ui}
        newest={after ? ui.href(hostsAddress(page, state)) : undefined}
        older={next ? ui.href(hostsAddress(page, state, next)) : undefined}
        labels={[ui.t("hosts.first"), ui.t("lists.next")]}
        shown={{ ...position, rows: hosts.length }}
        stays
      />
    </div>
  );
}

function columnsOf(
  ui: Ui,
  shell: Shell,
  reasons: HostsPageProps["reasons"],
  state: HostsState,
  here: string,
): Column<ProjectHost>[] {
  const { id } = shell.project;
  const sortBy = (sort: HostOrder, usual: "ascending" | "descending") => {
    const isSorted = state.sort === sort;
    const turned = { ...state, sort, isTurned: isSorted && !state.isTurned };
    const other = usual === "ascending" ? "descending" : "ascending";
    const order = isSorted ? state.isTurned ? other : usual : undefined;
    return { href: ui.href(hostsAddress(paths.section(id, "hosts"), turned)), order } as const;
  };
  const actions = actionsColumn<ProjectHost>(ui, ({ name }) => (
    <IconLink
      icon="delete"
      label={ui.t("hosts.forget_named", { name })}
      href={ui.href(paths.host(id, name, "/delete"))}
      over
    />
  ));
  return [
    nameColumn(ui, "hosts.host", ({ name }) => visible(name), {
      href: ({ name }) => ui.href(paths.host(id, name)),
      sort: sortBy("name", "ascending"),
    }),
    stateColumn(ui, "hosts.status", ({ status }) => <ResultChip ui={ui} status={status} />, {
      sort: sortBy("status", "ascending"),
    }),
    {
      label: ui.t("hosts.last_run"),
      named: true,
      kind: "text",
      sort: sortBy("run", "descending"),
      cell: ({ name, last_task_id: id, last_run: at }) => {
        const reason = reasons.get(name);
        return (
          <>
            <LatestTask ui={ui} page={here} id={id} at={at} />
            {reason && (
              <Reason
                {...{ ui, reason }}
                output={ui.href(paths.over(here, id))}
                over
                brief
                class={briefLook(true)}
              />
            )}
          </>
        );
      },
    },
    {
      label: ui.t("hosts.last_success"),
      named: true,
      cell: ({ last_success_task_id: task, last_success: at }) =>
        task ? <LatestTask ui={ui} page={here} id={task} at={at} /> : <Dash />,
    },
    {
      label: ui.t("hosts.last_changes"),
      named: true,
      class: "last-changes",
      cell: ({ runs }) => <ChangeStrip ui={ui} runs={runs} />,
    },
    ...may(shell, "manage_resources") ? [actions] : [],
  ];
}

const NoHosts = ({ ui, all, isAny }: { ui: Ui; all: string; isAny: boolean }) => (
  <EmptyState icon="hosts" title={ui.t(isAny ? "hosts.no_match" : "hosts.empty")}>
    {isAny ? <a href={all} data-stay>{ui.t("hosts.all")}</a> : ui.t("hosts.about")}
  </EmptyState>
);

interface HostsFilterProps {
  ui: Ui;
  /** Path of the list. */
  page: string;
  state: HostsState;
}

const HostsFilter = ({ ui, page, state }: HostsFilterProps) => (
  <FilterBar
    ui={ui}
    id="hosts"
    action={ui.href(page)}
    search={{ value: state.q, label: ui.t("hosts.filter"), maxLength: HOST_QUERY_LENGTH_MAX }}
    sort={{
      options: HOST_ORDERS.map((order) => ({ value: order, label: ui.t(`hosts.orders.${order}`) })),
      value: state.sort,
    }}
    kept={{ order: state.isTurned ? "turned" : undefined }}
    clear={ui.href(hostsAddress(page, { ...state, q: "" }))}
    isFiltered={state.q !== ""}
  />
);

/** Address of a list of hosts, without parameters that have their default value. */
function hostsAddress(
  path: string,
  { q, sort, isTurned }: HostsState,
  after: HostCursor | null = null,
): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (sort !== "name") query.set("sort", sort);
  if (isTurned) query.set("order", "turned");
  if (after) {
    query.set("rank", String(after.rank));
    query.set("after", after.name);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
