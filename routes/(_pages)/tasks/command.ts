import type { Permission } from "@/lib/access/permissions.ts";
import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { backPath } from "@/lib/web/pages/back.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

/**
 * Creates a handler for a button of a task, which members with `permission` may press, or all. It
 * then leads to `back`, or to the task in an overlay of its template's page.
 */
export const taskCommand = <P extends Permission = never>(
  permission: P | undefined,
  act: (scope: ProjectScope<P>, taskId: number, form: Record<string, string>) => Promise<unknown>,
) =>
  define.handlers({
    async POST(ctx) {
      const { shell, scope } = ctx.state;
      const projectId = shell.project.id;
      const taskId = pageId(ctx.params.taskId);
      const form = await readForm(ctx.req);
      await act(await reopen(scope, permission), taskId, form);
      const { template_id } = await getTask(scope, taskId);
      const own = paths.task(projectId, template_id, taskId);
      return seeOther(ctx, backPath(form.back, projectId, own));
    },
  });
