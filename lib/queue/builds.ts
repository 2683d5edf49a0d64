import { invalidField } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { findTask, listTemplateTasks } from "../tasks/repository.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { nextVersion } from "./version.ts";

/**
 * Assigns a build its version in the same atomic operation as the task, so that no two builds share
 * one. A number is never assigned twice, even if its build fails.
 */
export async function takeVersion(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  task: TaskRow,
  template: TemplateRow,
): Promise<TaskRow> {
  if (template.type !== "build") return task;
  if (template.start_version === null) {
    throw invalidField("template_id", "errors.templates.no_start_version", { name: template.name });
  }
  const last = await kv.get<string>(rowKeys.buildVersion(task.project_id, template.id));
  const version = nextVersion(template.start_version, last.value);
  op.check(last).set(last.key, version);
  return { ...task, version };
}

/**
 * Attaches a build to a deploy: the requested one, or else the latest successful one. The task gets
 * the build's version and commit, whatever commit was requested. Throws 400 if there is no such
 * build.
 */
export async function attachBuild(
  kv: Deno.Kv,
  task: TaskRow,
  template: TemplateRow,
  buildTaskId: number | null,
): Promise<TaskRow> {
  if (template.type !== "deploy") return task;
  if (template.build_template_id === null) {
    throw invalidField("template_id", "errors.templates.no_build_template", {
      name: template.name,
    });
  }
  const source = buildTaskId === null
    ? await newestSuccess(kv, template)
    : await findTask(kv, template.project_id, buildTaskId);
  if (!source) throw invalidField("build_task_id", "errors.build_version_required");
  if (source.template_id !== template.build_template_id || source.status !== "success") {
    throw invalidField("build_task_id", "errors.not_a_build");
  }
  const deploy = {
    ...task,
    build_task_id: source.id,
    incoming_version: source.version ?? source.incoming_version,
  };
  if (source.repository_id !== task.repository_id || source.commit_hash === null) return deploy;
  const { commit_hash, commit_message } = source;
  return { ...deploy, commit_hash, commit_message, commit_asked: false };
}

/**
 * Returns the latest successful task of the build template or, in a chain, of the deploy template.
 */
async function newestSuccess(kv: Deno.Kv, template: TemplateRow): Promise<TaskRow | null> {
  const { project_id: projectId, build_template_id: sourceId } = template;
  if (sourceId === null) return null;
  const [newest] = await listTemplateTasks(kv, projectId, sourceId, { limit: 1, built: true });
  return newest ?? null;
}
