import { define, userScope } from "@/lib/web/state.ts";
import { lastProject } from "@/lib/web/pages/last_shown.ts";
import { paths } from "@/lib/base/paths.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";

/** Redirects to the last shown project, or else to the first one, or else to creating one. */
export const handler = define.handlers({
  async GET(ctx) {
    const { ui } = ctx.state;
    const projects = await listProjects(userScope(ctx.state));
    const last = lastProject(ctx.req.headers);
    const project = projects.find(({ id }) => id === last) ?? projects[0];
    return ctx.redirect(ui.href(project ? paths.project(project.id) : paths.newProject()), 303);
  },
});
