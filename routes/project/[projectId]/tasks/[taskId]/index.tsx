import { LogPage, splitAtLog } from "@/components/tasks/LogPage.tsx";
import { endHtml, linesHtml, waysHtml } from "@/components/tasks/log_html.tsx";
import { define } from "@/lib/web/state.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { loadTaskPage, readPage } from "@/lib/tasks/page.ts";
import { taskTab } from "@/routes/(_pages)/task_tabs.tsx";
import { keepAlive, textStream } from "@/lib/tasks/stream.ts";

export const handler = define.handlers({
  /** The page is sent as the lines come: it follows a running task without any script. */
  async GET(ctx) {
    const { scope, shell, ui } = ctx.state;
    const taskId = pageId(ctx.params.taskId);
    const asked = await loadTaskPage(scope, taskId, ctx.url);
    const { window, task } = asked;
    const { tabs } = await taskTab(ctx.state, task, ctx.url);
    const rendered = await ctx.render(
      <LogPage
        ui={ui}
        shell={shell}
        page={asked}
        tabs={tabs}
        mayRun={may(shell, "run_tasks")}
      />,
    );
    ctx.state.stream = (html) => {
      const { before, between, after } = splitAtLog(html);
      async function* parts(gone: AbortSignal) {
        yield before;
        let { to } = window;
        for await (const records of await readPage(scope, asked, gone)) {
          yield linesHtml(ui, asked, records);
          to = records.at(-1)!.id;
        }
        const ended = await loadTaskPage(scope, taskId, ctx.url);
        const shown = { ...ended.window, from: window.from, to, follows: false };
        yield endHtml(ui, ended.task) + between + waysHtml(ui, { ...ended, window: shown }) + after;
      }
      return textStream((gone) => keepAlive(parts(gone), "<!-- still here -->"));
    };
    return rendered;
  },
});
