import { page } from "fresh";
import { HostPage } from "@/components/hosts/HostPage.tsx";
import { listNumber } from "@/lib/base/list_query.ts";
import { getProjectHost, listHostRuns } from "@/lib/hosts/service.ts";
import { define } from "@/lib/web/state.ts";
import { hostOf } from "@/routes/(_pages)/hosts.ts";

/** Rows of a page. */
const PAGE_RUNS = 20;

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const name = hostOf(scope.projectId, url);
    const before = listNumber().parse(url.searchParams.get("before") ?? undefined);
    const [host, list] = await Promise.all([
      getProjectHost(scope, name),
      listHostRuns(scope, name, { limit: PAGE_RUNS, before }),
    ]);
    return page({ host, ...list, before });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <HostPage ui={ui} shell={shell} {...data} />
));
