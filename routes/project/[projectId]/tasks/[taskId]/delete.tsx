import { requireAdmin } from "@/lib/access/scope.ts";
import { conflict } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { deleteTask } from "@/lib/maintenance/tasks.ts";
import { isFinished } from "@/lib/model/status.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { backPath } from "@/lib/web/pages/back.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const backOf = (url: URL, projectId: number) =>
  backPath(url.searchParams.get("back"), projectId, paths.section(projectId, "history"));

/** Asks a global admin before a task and its output are deleted. */
const { handler, Page } = confirmPage({
  rights: asMember("manage_resources"),
  async find(scope, { params }) {
    requireAdmin(scope);
    const task = await getTask(scope, pageId(params.taskId));
    if (!isFinished(task.status)) throw conflict("errors.task_open", { id: task.id });
    return task;
  },
  ask: (ui, { id, tpl_alias: name }, { scope }, url) => ({
    title: ui.t("tasks.delete.title", { id }),
    question: ui.t("tasks.delete.question", { id, name }),
    cancel: backOf(url, scope.projectId),
  }),
  act: (scope, { id }) => deleteTask(scope, id),
  next: ({ id }, { state: { scope }, url }) => [
    backOf(url, scope.projectId),
    "flash.tasks.deleted",
    { id },
  ],
});
export { handler, Page as default };
