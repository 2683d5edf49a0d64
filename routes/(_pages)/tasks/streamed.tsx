import type { Context } from "fresh";
import { LogPage, splitAtLog } from "@/components/tasks/log/LogPage.tsx";
import { endHtml, linesHtml, outputsHtml, waysHtml } from "@/components/tasks/log/log_html.tsx";
import { isFinished } from "@/lib/model/status.ts";
import { loadTaskPage, readPage } from "@/lib/web/pages/task_page.ts";
import { may } from "@/lib/web/shell.ts";
import type { State } from "@/lib/web/state.ts";
import { keepAlive, textStream } from "@/lib/http/text_stream.ts";
import { taskTab } from "./tabs.tsx";

/**
 * Streams a task's page line by line, so that it follows a running task without a script. People
 * who may not read output get the page without it.
 */
export async function streamTask(ctx: Context<State>, taskId: number): Promise<Response> {
  const { scope, shell, ui } = ctx.state;
  const asked = await loadTaskPage(scope, taskId, ctx.url);
  const { window, search, task } = asked;
  const { tabs } = await taskTab(ctx.state, task, ctx.url);
  const rendered = await ctx.render(
    <LogPage ui={ui} shell={shell} page={asked} tabs={tabs} mayRun={may(shell, "run_tasks")} />,
  );
  if (!asked.mayRead) return rendered;
  ctx.state.stream = (html) => {
    const { before, between, after } = splitAtLog(html);
    async function* parts(gone: AbortSignal) {
      yield before;
      let to = search ? search.after : window.to;
      let found = 0;
      const lines = linesHtml(ui, asked);
      for await (const part of readPage(scope, asked, gone)) {
        yield lines.html(part.records);
        to = part.to;
        found += part.records.length;
      }
      const ended = await loadTaskPage(scope, taskId, ctx.url);
      const shown = { ...ended.window, from: window.from, to, follows: false };
      // Those of a task that had ended before are above its output.
      const outputs = isFinished(task.status) ? "" : outputsHtml(ui, ended);
      yield lines.end() + endHtml(ui, ended.task) + outputs + between +
        waysHtml(ui, { ...ended, window: shown }, { to, found }) +
        after;
    }
    return textStream((gone) => keepAlive(parts(gone), "<!-- still here -->"));
  };
  return rendered;
}
