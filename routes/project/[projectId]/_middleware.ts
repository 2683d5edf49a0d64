import { scopeOf } from "@/lib/access/scope.ts";
import { define, userScope } from "@/lib/web/state.ts";
import { notFound } from "@/lib/base/errors.ts";
import { lastView, rememberProject, rememberView } from "@/lib/web/pages/last_shown.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { tasksVersion } from "@/lib/tasks/history/follow_tasks.ts";
import { listFailingSchedules } from "@/lib/triggers/schedules/failing.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";

/** Loads the project of the page and the content of its shell, once per request. */
export default define.middleware(async (ctx) => {
  const { membership } = ctx.state;
  const user = userScope(ctx.state);
  const id = pageId(ctx.params.projectId);
  if (!membership) throw notFound();
  const since = await tasksVersion(user);
  const scope = ctx.state.scope = scopeOf(user, membership);
  const [projects, failing] = await Promise.all([listProjects(user), listFailingSchedules(scope)]);
  const project = projects.find((one) => one.id === id);
  if (!project) throw notFound();
  const { headers } = ctx.req;
  const { config } = user.deps;
  const { role, roleName, permissions } = membership;
  ctx.state.shell = {
    project,
    projects,
    role,
    roleName,
    permissions,
    viewId: lastView(headers),
    failingSchedules: failing.length,
    since,
  };
  const response = await ctx.next();
  rememberProject(headers, response.headers, config, ctx.url, id);
  const { viewId } = ctx.state.shell; // Pages of templates set the view that they show.
  rememberView(headers, response.headers, config, ctx.url, { projectId: id, viewId });
  return response;
});
