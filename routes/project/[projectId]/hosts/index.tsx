import { page } from "fresh";
import { HostsPage } from "@/components/hosts/HostsPage.tsx";
import { readHostsVersion } from "@/lib/hosts/follow_hosts.ts";
import { listProjectHosts, readHostReasons } from "@/lib/hosts/service.ts";
import { define } from "@/lib/web/state.ts";
import { readHostCursor, readHostsState } from "@/routes/(_pages)/hosts.ts";

/** Rows per page. */
const PAGE_HOSTS = 20;

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const state = readHostsState(url.searchParams);
    const after = readHostCursor(url.searchParams, state);
    // Read before the list, so that a change in between is reported.
    const version = await readHostsVersion(scope);
    const list = await listProjectHosts(scope, {
      q: state.q,
      order: state.sort,
      // The latest task has the greatest number.
      isReverse: (state.sort === "run") !== state.isTurned,
      after,
      limit: PAGE_HOSTS,
    });
    const reasons = await readHostReasons(scope, list.hosts);
    return page({ ...list, reasons, state, after, version });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <HostsPage ui={ui} shell={shell} {...data} />
));
