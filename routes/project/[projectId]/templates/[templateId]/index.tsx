import { TemplatePage } from "@/components/templates/TemplatePage.tsx";
import { define, signedIn } from "@/lib/deps.ts";
import { pageId } from "@/lib/http/page_ids.ts";
import { paths } from "@/lib/http/paths.ts";
import { seeOther } from "@/lib/http/see_other.ts";
import { listTasks } from "@/lib/tasks/service.ts";
import { loadTemplates } from "@/lib/templates/page.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { page } from "fresh";

const TASKS_SHOWN = 20;

export const handler = define.handlers({
  async GET(ctx) {
    const { state, params, url } = ctx;
    const { id: projectId } = state.shell.project;
    if (params.templateId === "new") return seeOther(ctx, paths.editTemplate(projectId, "new"));
    const actor = signedIn(state);
    const templateId = pageId(params.templateId);
    const template = await getTemplate(state.deps, actor, projectId, templateId);
    const before = url.searchParams.get("before");
    const [{ names }, list] = await Promise.all([
      loadTemplates(state.deps, actor, projectId, null),
      listTasks(state.deps, actor, projectId, {
        templateId,
        limit: TASKS_SHOWN,
        before: before === null ? undefined : pageId(before),
      }),
    ]);
    return page({ template, names, ...list, isFirst: before === null });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <TemplatePage ui={state.ui} shell={state.shell} {...data} />
));
