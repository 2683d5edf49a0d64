import { ChangedHosts } from "@/components/results/ChangedHosts.tsx";
import { ChangeList } from "@/components/results/Change.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { visible } from "@/lib/i18n/visible.ts";
import { listHostChanges } from "@/lib/results/changes.ts";
import type { RunHost } from "@/lib/results/schema.ts";
import { findRunResult, listRunHosts, listRunPlays } from "@/lib/results/service.ts";
import { numberAsked, type TabAsked } from "./tab.ts";

/** Hosts per page, and changes per host. */
const PAGE_HOSTS = 100;
const PAGE_CHANGES = 20;

/** Shows the changed hosts, or the changes on the host that the URL names. */
export async function showChangedHosts(asked: TabAsked) {
  const { state: { scope }, task, which } = asked;
  const { hosts } = await listRunHosts(scope, task.id, which);
  const host = hosts[(numberAsked(asked, "host") ?? 0) - 1];
  if (host) return await showHost(asked, host);
  const changed = hosts.filter(({ changed }) => changed > 0)
    .sort((a, b) => b.changed - a.changed);
  const skip = numberAsked(asked, "skip") ?? 0;
  const rows = changed.slice(skip, skip + PAGE_HOSTS);
  return (
    <>
      <ChangedHosts ui={asked.state.ui} address={asked.address} hosts={rows} />
      <Pages asked={asked} query={{}} page={PAGE_HOSTS} rows={rows.length} count={changed.length} />
    </>
  );
}

async function showHost(asked: TabAsked, host: RunHost) {
  const { state: { ui, scope }, task, address, which } = asked;
  const skip = numberAsked(asked, "skip") ?? 0;
  const page = { hostId: host.id, skip, limit: PAGE_CHANGES, ...which };
  const asking = await findRunResult(scope, task.id, numberAsked(asked, "change") ?? 0, which);
  const whole = asking?.host_id === host.id ? asking : null;
  const [{ results, total }, plays] = await Promise.all([
    whole ? { results: [whole], total: 1 } : listHostChanges(scope, task.id, page),
    listRunPlays(scope, task.id, which),
  ]);
  const tasks = plays.flatMap(({ tasks }) => tasks);
  const changes = results.flatMap(({ id, play_task_id, diff, line, carried_out }) => {
    const task = tasks[play_task_id - 1];
    const its = { hosts: [host], done: carried_out ? [host] : [], more: 0 };
    return task ? [{ id: String(id), task, diff: diff ?? "", ...its, line }] : [];
  });
  const Heading = address.isInOverlay ? "h3" : "h2";
  return (
    <>
      <p class="m-0">
        <a href={address.href("changes", { by: "host" })} aria-current="false" data-stay>
          {ui.t("results.all_hosts")}
        </a>
      </p>
      <Heading id="changes-host">{visible(host.name)}</Heading>
      <ChangeList
        {...{ ui, address, changes }}
        ofOneHost
        wholeOf={whole
          ? undefined
          : ({ id }) => address.href("changes", { by: "host", host: host.id, change: id })}
      />
      <Pages
        asked={asked}
        query={{ host: host.id }}
        page={PAGE_CHANGES}
        rows={results.length}
        count={total}
      />
    </>
  );
}

interface PagesProps {
  asked: TabAsked;
  query: { host?: number };
  page: number;
  rows: number;
  count: number;
}

function Pages({ asked, query, page, rows, count }: PagesProps) {
  const { state: { ui }, address } = asked;
  const skip = numberAsked(asked, "skip") ?? 0;
  const pageAt = (skip: number) =>
    address.href("changes", { by: "host", ...query, skip: skip || undefined });
  return (
    <Pagination
      ui={ui}
      newest={skip > 0 ? pageAt(Math.max(0, skip - page)) : undefined}
      older={skip + page < count ? pageAt(skip + page) : undefined}
      labels={[ui.t("results.previous"), ui.t("results.next")]}
      shown={{ skipped: skip, rows, of: { count, isMore: false } }}
      stays
    />
  );
}
