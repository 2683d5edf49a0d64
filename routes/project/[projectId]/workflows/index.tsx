import { page } from "fresh";
import { WorkflowsPage } from "@/components/workflows/WorkflowsPage.tsx";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { define } from "@/lib/web/state.ts";
import { listWorkflows } from "@/lib/workflows/service.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const workflows = await listWorkflows(scope);
    return page({ workflows, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <WorkflowsPage ui={ui} shell={shell} {...data} />
));
