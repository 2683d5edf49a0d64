import { page } from "fresh";
import { AllDriftPage } from "@/components/drift/AllDriftPage.tsx";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { listProjectDrift } from "@/lib/maintenance/projects/drift.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state, url }) {
    const skip = listNumber(0).parse(url.searchParams.get("skip") || undefined) ?? 0;
    const list = await listProjectDrift(userScope(state), skip);
    return page({
      projects: list.projects,
      next: list.hasNext ? list.skip : null,
      isFirst: skip === 0,
    });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <AllDriftPage ui={ui} {...data} />
));
