import { ChangeStrip } from "./ChangeStrip.tsx";
import { ResultChip } from "@/components/results/ResultChip.tsx";
import { LogLink } from "@/components/tasks/TaskTable.tsx";
import { Button, IconLink } from "@/components/ui/Button.tsx";
import { Dash } from "@/components/ui/cells.tsx";
import { EmptyState } from "@/components/ui/EmptyState.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/Pagination.tsx";
import { type Column, Table } from "@/components/ui/Table.tsx";
import { Time } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import {
  HOST_QUERY_LENGTH_MAX,
  type HostCursor,
  type HostsState,
  type ProjectHost,
} from "@/lib/hosts/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ListPosition } from "@/lib/kv/counted.ts";
import { HOST_ORDERS, type HostOrder } from "@/lib/hosts/rows.ts";
import { may, type Shell } from "@/lib/web/shell.ts";
import { SearchField } from "@/components/ui/SearchField.tsx";

interface HostsPageProps {
  ui: Ui;
  shell: Shell;
  hosts: ProjectHost[];
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
  { ui, shell, hosts, state, after, next, position, version }: HostsPageProps,
) {
  const { id, name } = shell.project;
  const page = paths.section(id, "hosts");
  const isAny = hosts.length > 0 || state.q !== "";
  return (
    <div id="live" data-live={`${ui.href(paths.hostEvents(id))}?since=${version}`}>
      <Title ui={ui} parts={[ui.t("sections.hosts"), name]} />
      <PageHeader title={ui.t("sections.hosts")} />
      {isAny && <HostsFilter ui={ui} action={ui.href(page)} state={state} />}
      <Table
        caption={ui.t("hosts.list")}
        rows={hosts}
        columns={columnsOf(ui, shell, state, hostsAddress(page, state, after))}
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
  const actions: Column<ProjectHost> = {
    label: ui.t("lists.actions"),
    kind: "actions",
    cell: ({ name }) => (
      <IconLink
        icon="delete"
        label={ui.t("hosts.forget_named", { name })}
        href={ui.href(paths.host(id, name, "/delete"))}
        over
      />
    ),
  };
  return [
    {
      label: ui.t("hosts.host"),
      kind: "main",
      sort: sortBy("name", "ascending"),
      cell: ({ name }) => (
        <a class="clamp font-semibold" href={ui.href(paths.host(id, name))} title={name}>{name}</a>
      ),
    },
    {
      label: ui.t("hosts.status"),
      sort: sortBy("status", "ascending"),
      cell: ({ status }) => <ResultChip ui={ui} status={status} />,
    },
    {
      label: ui.t("hosts.last_run"),
      named: true,
      sort: sortBy("run", "descending"),
      cell: (host) => <Run ui={ui} page={here} id={host.last_task_id} at={host.last_run} />,
    },
    {
      label: ui.t("hosts.last_success"),
      named: true,
      cell: ({ last_success_task_id: task, last_success: at }) =>
        task ? <Run ui={ui} page={here} id={task} at={at} /> : <Dash />,
    },
    {
      label: ui.t("hosts.last_changes"),
      named: true,
      cell: ({ runs }) => <ChangeStrip ui={ui} runs={runs} />,
    },
    ...may(shell, "manage_resources") ? [actions] : [],
  ];
}

const Run = ({ ui, page, id, at }: { ui: Ui; page: string; id: number; at: string | null }) => (
  <span class="host-run">
    <LogLink ui={ui} page={page} id={id} />
    <Time ui={ui} at={at} />
  </span>
);

const NoHosts = ({ ui, all, isAny }: { ui: Ui; all: string; isAny: boolean }) => (
  <EmptyState icon="system" title={ui.t(isAny ? "hosts.no_match" : "hosts.empty")}>
    {isAny ? <a href={all} data-stay>{ui.t("hosts.all")}</a> : ui.t("hosts.about")}
  </EmptyState>
);

interface HostsFilterProps {
  ui: Ui;
  /** Complete path of the list. */
  action: string;
  state: HostsState;
}

/**
 * Filter for hosts, applied while typing. On phones, where lists have no headings, it also sorts.
 */
const HostsFilter = ({ ui, action, state }: HostsFilterProps) => (
  <form method="get" action={action} class="list-filter" role="search" data-stay>
    <SearchField
      id="hosts-filter"
      name="q"
      value={state.q}
      maxLength={HOST_QUERY_LENGTH_MAX}
      label={ui.t("hosts.filter")}
    />
    <select id="hosts-sort" name="sort" aria-label={ui.t("hosts.sort")}>
      {HOST_ORDERS.map((order) => (
        <option value={order} selected={order === state.sort}>
          {ui.t(`hosts.orders.${order}`)}
        </option>
      ))}
    </select>
    {state.isTurned && <input type="hidden" name="order" value="turned" />}
    <Button icon="filter" class="no-script">{ui.t("actions.filter")}</Button>
  </form>
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
