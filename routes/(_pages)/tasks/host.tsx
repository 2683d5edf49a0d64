import { HostResults } from "@/components/results/HostResults.tsx";
import { ResultPanel } from "@/components/results/ResultPanel.tsx";
import { StateFilter } from "@/components/results/StateFilter.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { RECAP_COUNTS, RESULT_STATUSES } from "@/lib/execution/run/events.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { RunHost } from "@/lib/results/schema.ts";
import { findFullResult, listRunResults } from "@/lib/results/service.ts";
import { numberAsked, type TabAsked } from "./tab.ts";

/** Rows per page. */
const PAGE_RESULTS = 100;

/** Shows the results on one host of a task. */
export async function showHost(asked: TabAsked, host: RunHost) {
  const { state: { ui, scope }, task, address, which } = asked;
  const chosen = RESULT_STATUSES.filter((state) => address.asked.getAll("state").includes(state));
  const after = numberAsked(asked, "after");
  const query = { host: host.id, state: chosen, after };
  const { results, hasNext } = await listRunResults(scope, task.id, {
    ...which,
    host: host.name,
    statuses: chosen.length > 0 ? chosen : undefined,
    after,
    limit: PAGE_RESULTS,
  });
  const Heading = address.isInOverlay ? "h3" : "h2";
  return (
    <>
      <p class="m-0">
        <a href={address.href("hosts")} aria-current="false" data-stay>
          {ui.t("results.all_hosts")}
        </a>
      </p>
      <Heading id="host-name">{visible(host.name)}</Heading>
      {await shownResult(asked, query, (id) => `open-${id}`)}
      <StateFilter
        {...{ ui, address, chosen }}
        counts={RECAP_COUNTS.map((state) => [state, host[state]])}
        also={{ host: String(host.id) }}
      />
      <HostResults
        {...{ ui, address, results }}
        host={host.name}
        hrefOf={({ id }) => `${address.href("hosts", { ...query, result: id })}#result`}
      />
      <Pagination
        ui={ui}
        newest={after ? address.href("hosts", { ...query, after: undefined }) : undefined}
        older={hasNext ? address.href("hosts", { ...query, after: results.at(-1)?.id }) : undefined}
        labels={[ui.t("results.first"), ui.t("results.next")]}
        stays
      />
    </>
  );
}

/**
 * Returns the result that the URL names, next to the content of `query`. Closing it leads back to
 * `cellOf`.
 */
export async function shownResult(
  asked: TabAsked,
  query: Parameters<TabAsked["address"]["href"]>[1],
  cellOf: (id: number) => string,
) {
  const { state: { ui, scope }, task, address, which, run } = asked;
  const id = numberAsked(asked, "result");
  const result = id ? await findFullResult(scope, task.id, id, which) : null;
  if (!result) return null;
  const close = `${address.href("hosts", query)}#${cellOf(result.id)}`;
  return <ResultPanel {...{ ui, address, result, close }} dropped={run.full_dropped} />;
}
