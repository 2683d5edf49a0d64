import { HostFilter, type HostQuery } from "@/components/results/HostFilter.tsx";
import { HostTable } from "@/components/results/HostTable.tsx";
import { Pagination } from "@/components/ui/Pagination.tsx";
import { listNumber } from "@/lib/base/list_query.ts";
import type { RunHost } from "@/lib/results/schema.ts";
import { HOST_STATUSES, worstFirst } from "@/lib/results/statuses.ts";
import { listRunHosts } from "@/lib/results/service.ts";
import type { TabAsked, TaskTab } from "./task_tab.ts";

/** Rows of a page. */
const PAGE_HOSTS = 100;

/** What happened on each host. */
export const HOSTS_TAB: TaskTab = { name: "hosts", count: countFailed, show: showHosts };

async function countFailed({ state: { scope, ui }, task }: TabAsked) {
  const { hosts } = await listRunHosts(scope, task.id, { statuses: ["failed", "unreachable"] });
  const count = hosts.length;
  if (count === 0) return undefined;
  return { number: ui.number(count), label: ui.t("results.failed_hosts", { count }), isBad: true };
}

async function showHosts({ state: { scope, ui }, task, place }: TabAsked) {
  const { hosts: all } = await listRunHosts(scope, task.id);
  const query = readHostQuery(place.asked);
  const hosts = worstFirst(all.filter((host) => fits(host, query)));
  const skipped = listNumber(0).parse(place.asked.get("skip") ?? undefined) ?? 0;
  const rows = hosts.slice(skipped, skipped + PAGE_HOSTS);
  const pageAt = (skip: number) => place.href("hosts", { ...query, skip: skip || undefined });
  return (
    <>
      <HostFilter {...{ ui, place, query }} counts={countStates(all)} also={{}} />
      <HostTable ui={ui} place={place} hosts={rows} />
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

/** What cannot be read in the address is as if it were not there. */
const readHostQuery = (asked: URLSearchParams): HostQuery => ({
  state: HOST_STATUSES.filter((state) => asked.getAll("state").includes(state)),
  name: (asked.get("name") ?? "").trim().slice(0, 200),
});

const fits = (host: RunHost, { state, name }: HostQuery): boolean =>
  (state.length === 0 || state.includes(host.status)) &&
  host.name.toLowerCase().includes(name.toLowerCase());

const countStates = (hosts: RunHost[]) =>
  Object.fromEntries(
    HOST_STATUSES.map((state) => [state, hosts.filter(({ status }) => status === state).length]),
  );
