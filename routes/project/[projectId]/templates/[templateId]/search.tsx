import { splitAtLog } from "@/components/tasks/log/LogPage.tsx";
import {
  foundRunHtml,
  RunSearchPage,
  runsSummaryHtml,
  withoutHtml,
} from "@/components/tasks/log/RunSearchPage.tsx";
import { filterOf, readBefore, readHistoryQuery } from "@/routes/(_pages)/history.ts";
import { nextCursor, type SearchedRun, searchRuns } from "@/lib/search/task_outputs.ts";
import { withPermission } from "@/lib/access/scope.ts";
import { isAsked } from "@/lib/output/query.ts";
import { queryOf } from "@/lib/output/search_params.ts";
import { problemOf } from "@/lib/web/pages/query_problem.ts";
import { keepAlive, textStream } from "@/lib/http/text_stream.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";

/** Limits of one page of the search. It ends with a link to continue. */
const PAGE = { foundMax: 50, runsMax: 2_000, forMs: 10_000 };

export const handler = define.handlers({
  /**
   * Streams the page while tasks are found, so that hits appear early and leaving the page ends the
   * search.
   */
  async GET(ctx) {
    const { shell: { project }, ui } = ctx.state;
    const scope = withPermission(ctx.state.scope, "read_output");
    const template = await getTemplate(scope, pageId(ctx.params.templateId));
    const query = queryOf(ctx.url);
    const problem = await problemOf(query);
    const { searchParams } = ctx.url;
    const before = readBefore(searchParams);
    const { from: day } = readHistoryQuery(searchParams);
    const { from } = filterOf({ from: day }, ui.timeZone);
    const shown = { ui, project, template, query, day, problem };
    const rendered = await ctx.render(<RunSearchPage {...shown} />);
    if (problem || !isAsked(query)) return rendered;
    ctx.state.stream = (html) => {
      const parts = splitAtLog(html);
      async function* texts(gone: AbortSignal) {
        yield parts.before;
        let [searched, found, without] = [0, 0, 0];
        let [first, last]: (SearchedRun["task"] | null)[] = [null, null];
        for await (
          const run of searchRuns(scope, template.id, { ...PAGE, query, before, from }, gone)
        ) {
          searched++;
          last = run.task;
          if (!run.line) {
            without++;
            continue;
          }
          yield foundRunHtml(ui, run, without);
          [found, without, first] = [found + 1, 0, run.task];
        }
        const older = await nextCursor(scope, template.id, last?.id ?? null, from);
        const summary = { searched, found, first, before: older };
        yield withoutHtml(ui, without) + parts.between + runsSummaryHtml(ui, shown, summary) +
          parts.after;
      }
      return textStream((gone) => keepAlive(texts(gone), "<!-- still here -->"));
    };
    return rendered;
  },
});
