import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { backPath } from "@/lib/web/pages/back.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

/**
 * Creates a handler for a button of a task. It then leads to `back`, or to the task in an overlay
 * of its template's page.
 */
export const taskCommand = (
  act: (
    scope: ProjectScope<"run_tasks">,
    taskId: number,
    form: Record<string, string>,
  ) => Promise<unknown>,
) =>
  define.handlers({
    async POST(ctx) {
      const { shell, scope } = ctx.state;
      const projectId = shell.project.id;
      const taskId = pageId(ctx.params.taskId);
      const form = await readForm(ctx.req);
      await act(await reopen(scope, "run_tasks"), taskId, form);
      const { template_id } = await getTask(scope, taskId);
      const own = paths.task(projectId, template_id, taskId);
      return seeOther(ctx, backPath(form.back, projectId, own));
    },
  });
