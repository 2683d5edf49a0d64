import { paths } from "@/lib/base/paths.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { whoPage } from "@/routes/(_pages)/who.tsx";

const { handler, Page } = whoPage(async (scope, { templateId }) => {
  const { id, name } = await getTemplate(scope, pageId(templateId));
  return { object: ["templates", id], name, path: paths.template(scope.projectId, id) };
});
export { handler, Page as default };
