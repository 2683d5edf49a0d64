import { listUsing } from "../../store/references.ts";
import { templateRows } from "../../templates/repository.ts";
import { parseStart } from "../../tasks/start_form.ts";
import { buildFollower, buildJobs, followBuilds } from "./follow_builds.ts";
import { startTask } from "./start.ts";

export const autorunJobs = buildJobs("autoruns");

export const autorunFollower = buildFollower(autorunJobs, ["build", "deploy"]);

/** Starts the automatic deploys of builds, and of deploys that others follow. */
export const autorunWorker = followBuilds(autorunJobs, {
  object: "template",
  async list({ kv }, { project_id, template_id }) {
    const users = await listUsing(kv, project_id, ["templates", template_id], "templates");
    return (await templateRows.some(kv, project_id, users)).filter((template) =>
      template.autorun && template.build_template_id === template_id
    );
  },
  start: (scope, { id: build_task_id }, { id: template_id }, also) =>
    startTask(scope, parseStart({ template_id, build_task_id }), also),
});
