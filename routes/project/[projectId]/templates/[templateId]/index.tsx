import { TREND_RUNS } from "@/components/trends/RunsTrend.tsx";
import { TASKS_SHOWN, TemplatePage } from "@/components/templates/TemplatePage.tsx";
import { define } from "@/lib/web/state.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { liveUrl } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { positionInTasks } from "@/lib/tasks/history/position.ts";
import { listStartedTasks } from "@/lib/tasks/service.ts";
import { readShownRules } from "@/lib/rights/shown_rule.ts";
import { listTemplateSchedules } from "@/lib/triggers/schedules/service.ts";
import { loadTemplateNames } from "@/routes/(_pages)/templates/templates.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { page } from "fresh";

/** Shows a template. With a view in the path, its back link leads to that view's list. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, params, url } = ctx;
    const { id: projectId } = state.shell.project;
    if (params.templateId === "new") return seeOther(ctx, paths.editTemplate(projectId, "new"));
    const templateId = pageId(params.templateId);
    const template = await getTemplate(state.scope, templateId);
    const before = listNumber().parse(url.searchParams.get("before"));
    const isFirst = before === undefined;
    const filter = { templateId, limit: TASKS_SHOWN, before };
    const [{ names, views }, schedules, rules, list, position, last] = await Promise.all([
      loadTemplateNames(state.scope),
      listTemplateSchedules(state.scope, templateId),
      readShownRules(state.scope, ["templates", templateId], template),
      listStartedTasks(state.scope, filter),
      positionInTasks(state.scope, filter),
      isFirst ? listStartedTasks(state.scope, { templateId, limit: TREND_RUNS }) : null,
    ]);
    const view = views.find(({ id }) => String(id) === params.viewId);
    return page({
      template,
      names,
      view,
      schedules,
      rules,
      ...list,
      position,
      last: last?.tasks,
      isFirst,
    });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <TemplatePage
    ui={state.ui}
    shell={state.shell}
    now={state.deps.clock.now()}
    {...data}
    live={liveUrl(
      state,
      paths.templateEvents(data.template.project_id, data.template.id, data.view?.id),
    )}
  />
));
