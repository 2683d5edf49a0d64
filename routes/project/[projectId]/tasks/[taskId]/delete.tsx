import { page } from "fresh";
import { reopen, requireAdmin } from "@/lib/access/scope.ts";
import { conflict } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { deleteTask } from "@/lib/maintenance/tasks.ts";
import { isFinished } from "@/lib/model/status.ts";
import { backPath } from "@/lib/web/pages/back.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";

const backOf = (url: URL, projectId: number) =>
  backPath(url.searchParams.get("back"), projectId, paths.section(projectId, "history"));

/**
 * Asks a global admin for confirmation before a task and its output are deleted, and deletes them.
 */
export const handler = define.handlers({
  async GET({ state: { scope }, params }) {
    requireAdmin(scope);
    const task = await getTask(scope, pageId(params.taskId));
    if (!isFinished(task.status)) throw conflict("errors.task_open", { id: task.id });
    return page({ task });
  },

  async POST(ctx) {
    const { scope } = ctx.state;
    const id = pageId(ctx.params.taskId);
    await deleteTask(await reopen(scope, "manage_resources"), id);
    return seeOther(ctx, backOf(ctx.url, scope.projectId), "flash.tasks.deleted", { id });
  },
});

export default define.page<typeof handler>(({ data: { task }, state: { ui, shell }, url }) => {
  const { id, tpl_alias: name } = task;
  const title = ui.t("tasks.delete.title", { id });
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("tasks.delete.question", { id, name })}
        action={url.pathname + url.search}
        cancel={ui.href(backOf(url, shell.project.id))}
        yes={ui.t("actions.delete")}
      />
    </>
  );
});
