import type { MatrixQuery } from "@/components/results/Matrix.tsx";
import { HostsLayout } from "@/components/results/HostsLayout.tsx";
import { HostTable } from "@/components/results/HostTable.tsx";
import { StateFilter } from "@/components/results/StateFilter.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { withFailures } from "@/lib/results/host_failures.ts";
import type { RunHost } from "@/lib/results/schema.ts";
import { listRunHosts } from "@/lib/results/service.ts";
import { FAILURES, HOST_STATUSES, type HostStatus, worstFirst } from "@/lib/results/statuses.ts";
import { showHost } from "./host.tsx";
import { showMatrix } from "./matrix.tsx";
import { numberAsked, type TabAsked, type TaskTab } from "./tab.ts";

/** Rows per page. */
const PAGE_HOSTS = 100;

/** Tab with the results on each host. */
export const HOSTS_TAB: TaskTab = { name: "hosts", count: countFailed, show: showHosts };

async function countFailed({ state: { scope, ui }, task, which }: TabAsked) {
  const { hosts } = await listRunHosts(scope, task.id, { statuses: FAILURES, ...which });
  const count = hosts.length;
  if (count === 0) return undefined;
  return { number: ui.number(count), label: ui.t("results.failed_hosts", { count }), isBad: true };
}

async function showHosts(asked: TabAsked) {
  const { hosts } = await listRunHosts(asked.state.scope, asked.task.id, asked.which);
  const id = numberAsked(asked, "host");
  const host = hosts.find((host) => host.id === id);
  return host ? await showHost(asked, host) : await showAll(asked, hosts);
}

/** Filter of the hosts. */
type HostQuery = {
  /** States to include; empty for all. */
  state: HostStatus[];
  /** Part of the host's name. */
  name: string | undefined;
};

/** Shows hosts as a list or as a matrix. Phones show the list in both cases. */
async function showAll(asked: TabAsked, all: RunHost[]) {
  const { state: { ui }, address } = asked;
  const query = readHostQuery(address.asked);
  const hosts = worstFirst(all.filter((host) => fits(host, query)));
  const isMatrix = address.asked.get("view") === "matrix";
  const view = isMatrix ? "matrix" : undefined;
  return (
    <>
      <div class="host-tools">
        <StateFilter
          {...{ ui, address }}
          counts={HOST_STATUSES.map((state) => [state, countOf(all, state)])}
          chosen={query.state}
          name={query.name ?? ""}
          also={{ view }}
        />
        <HostsLayout {...{ ui, address, query, isMatrix }} />
      </div>
      {isMatrix && <div class="matrix-only">{await showMatrix(asked, hosts, query)}</div>}
      <div class={isMatrix ? "matrix-instead" : undefined}>
        {await showList(asked, hosts, { ...query, view })}
      </div>
    </>
  );
}

async function showList(asked: TabAsked, hosts: RunHost[], query: MatrixQuery) {
  const { state: { ui }, address } = asked;
  const skipped = numberAsked(asked, "skip") ?? 0;
  const page = hosts.slice(skipped, skipped + PAGE_HOSTS);
  const rows = await withFailures(asked.state.scope, asked.task.id, page, asked.which);
  const pageAt = (skip: number) => address.href("hosts", { ...query, skip: skip || undefined });
  return (
    <>
      <HostTable ui={ui} address={address} hosts={rows} />
      <Pagination
        ui={ui}
        newest={skipped > 0 ? pageAt(Math.max(0, skipped - PAGE_HOSTS)) : undefined}
        older={skipped + PAGE_HOSTS < hosts.length ? pageAt(skipped + PAGE_HOSTS) : undefined}
        labels={[ui.t("results.previous"), ui.t("results.next")]}
        shown={{ skipped, rows: rows.length, of: { count: hosts.length, isMore: false } }}
        stays
      />
    </>
  );
}

const countOf = (hosts: RunHost[], state: HostStatus) =>
  hosts.filter(({ status }) => status === state).length;

/** Invalid query parameters are ignored. */
const readHostQuery = (asked: URLSearchParams): HostQuery => ({
  state: HOST_STATUSES.filter((state) => asked.getAll("state").includes(state)),
  name: (asked.get("name") ?? "").trim().slice(0, 200) || undefined,
});

const fits = (host: RunHost, { state, name = "" }: HostQuery): boolean =>
  (state.length === 0 || state.includes(host.status)) &&
  host.name.toLowerCase().includes(name.toLowerCase());
