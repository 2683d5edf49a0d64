import { page } from "fresh";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { HostPage } from "@/components/hosts/HostPage.tsx";
import type { ShownFacts } from "@/components/hosts/HostFacts.tsx";
import { notFound } from "@/lib/base/errors.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { listChangesOfHost } from "@/lib/drift/host_changes.ts";
import { listHostDrift } from "@/lib/drift/service.ts";
import { flatFacts } from "@/lib/hosts/flat_facts.ts";
import { HOST_QUERY_LENGTH_MAX, type HostFacts, type ProjectHost } from "@/lib/hosts/schema.ts";
import { findProjectHost, getHostFacts, listHostRuns } from "@/lib/hosts/service.ts";
import { define } from "@/lib/web/state.ts";
import { hostOf } from "@/routes/(_pages)/hosts.ts";

/** Rows per page. */
const PAGE_RUNS = 20;
const PAGE_FACTS = 200;
/** Templates whose checks reach the host. */
const PAGE_DRIFT = 100;

/** Returns the host's facts that match the URL's filter. */
function shownFacts({ facts, shortened, ...rest }: HostFacts, query: URLSearchParams): ShownFacts {
  const q = (query.get("facts") ?? "").trim().slice(0, HOST_QUERY_LENGTH_MAX);
  const wanted = q.toLowerCase();
  const found = flatFacts(facts).filter(({ name, text }) =>
    name.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted)
  );
  const more = Math.max(0, found.length - PAGE_FACTS);
  return { ...rest, found: found.slice(0, PAGE_FACTS), more, q, shortened: shortened.length };
}

/** Returns what the page shows of a host that tasks have reached. */
async function readReached(
  scope: ProjectScope,
  host: ProjectHost,
  { before, query }: { before?: number; query: URLSearchParams },
) {
  const [list, facts] = await Promise.all([
    listHostRuns(scope, host.name, { limit: PAGE_RUNS, before }),
    getHostFacts(scope, host.name),
  ]);
  return { host, ...list, facts: shownFacts(facts, query) };
}

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const name = hostOf(scope.projectId, url);
    const before = listNumber().parse(url.searchParams.get("before") ?? undefined);
    const ofHost = { host: name, templateId: 0, q: "", limit: PAGE_DRIFT };
    const [host, { rows: drift }] = await Promise.all([
      findProjectHost(scope, name),
      listHostDrift(scope, ofHost),
    ]);
    if (!host && drift.length === 0) throw notFound();
    const [changes, reached] = await Promise.all([
      listChangesOfHost(scope, drift),
      host && readReached(scope, host, { before, query: url.searchParams }),
    ]);
    return page({ name, reached, before, drift, changes });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <HostPage ui={ui} shell={shell} {...data} />
));
