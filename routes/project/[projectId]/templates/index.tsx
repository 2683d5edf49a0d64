import { TemplatesPage } from "@/components/templates/TemplatesPage.tsx";
import { define } from "@/lib/web/state.ts";
import { getCookies } from "@/lib/http/cookies.ts";
import { liveUrl } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { chosenColumns, COLUMNS_CHOICE } from "@/lib/templates/list.ts";
import { loadTemplates } from "@/routes/(_pages)/templates/templates.ts";
import { page } from "fresh";

/** Lists all templates, or those of the view that the path names. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, params, url, req } = ctx;
    const { shell, ui } = state;
    const viewId = params.viewId === undefined ? null : pageId(params.viewId);
    const list = await loadTemplates(state.scope, {
      viewId,
      query: url.searchParams,
      language: ui.language,
    });
    shell.viewId = list?.view?.hidden ? null : list && viewId;
    // The browser's cookie may name a view that was deleted.
    if (!list) return seeOther(ctx, paths.templates(shell.project.id, null));
    return page({ ...list, columns: chosenColumns(getCookies(req.headers)[COLUMNS_CHOICE]) });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => (
  <TemplatesPage
    ui={state.ui}
    shell={state.shell}
    {...data}
    live={liveUrl(
      state,
      paths.templatesEvents(state.shell.project.id, data.viewId),
      url.searchParams,
    )}
  />
));
