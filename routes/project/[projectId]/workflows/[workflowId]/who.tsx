import { paths } from "@/lib/base/paths.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { whoPage } from "@/routes/(_pages)/who.tsx";

const { handler, Page } = whoPage(async (scope, { workflowId }) => {
  const { id, name } = await getWorkflow(scope, pageId(workflowId));
  return { object: ["workflows", id], name, path: paths.workflow(scope.projectId, id) };
});
export { handler, Page as default };
