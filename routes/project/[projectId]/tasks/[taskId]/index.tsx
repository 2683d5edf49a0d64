import { LogPage, splitAtLog } from "@/components/tasks/LogPage.tsx";
import { endHtml, linesHtml } from "@/components/tasks/log_html.tsx";
import { define, signedIn } from "@/lib/deps.ts";
import { pageId } from "@/lib/http/page_ids.ts";
import { may } from "@/lib/http/shell.ts";
import { followTaskLog, getTask } from "@/lib/tasks/service.ts";
import { keepAlive, textStream } from "@/lib/tasks/stream.ts";

export const handler = define.handlers({
  /** The page is sent as the lines come: it follows a running task without any script. */
  async GET(ctx) {
    const { deps, shell, ui } = ctx.state;
    const actor = signedIn(ctx.state);
    const projectId = shell.project.id;
    const task = await getTask(deps, actor, projectId, pageId(ctx.params.taskId));
    const rendered = await ctx.render(
      <LogPage ui={ui} shell={shell} task={task} mayRun={may(shell, "run_tasks")} />,
    );
    const { before, after } = splitAtLog(await rendered.text());

    async function* parts() {
      yield before;
      for await (const records of followTaskLog(deps, actor, task, ctx.req.signal)) {
        yield linesHtml(records, ui);
      }
      const { status } = await getTask(deps, actor, projectId, task.id);
      yield endHtml(status, ui) + after;
    }
    return new Response(textStream(keepAlive(parts(), "<!-- still here -->")), {
      headers: rendered.headers,
    });
  },
});
