import { translator } from "../i18n/translate.ts";
import { readAnswers } from "./answer_store.ts";
import { getTasks } from "./repository.ts";
import type { PlainTaskView, TaskRow, TaskView } from "./schema.ts";

/**
 * Tasks as the API answers them, each with the build that it deploys. Long answers are read unless
 * `brief`; a build's are never.
 */
export async function taskViews(
  kv: Deno.Kv,
  tasks: TaskRow[],
  { brief = false } = {},
): Promise<TaskView[]> {
  const wanted = new Map<number, [number, number]>();
  for (const { project_id, build_task_id } of tasks) {
    if (build_task_id !== null) wanted.set(build_task_id, [project_id, build_task_id]);
  }
  const builds = new Map((await getTasks(kv, [...wanted.values()])).map((row) => [row.id, row]));
  return await Promise.all(tasks.map(async (task) => {
    const build = task.build_task_id === null ? undefined : builds.get(task.build_task_id);
    return {
      ...plainTaskView(task),
      environment: brief ? task.environment : await readAnswers(kv, task),
      build_task: build ? plainTaskView(build) : null,
    };
  }));
}

export async function taskView(
  kv: Deno.Kv,
  task: TaskRow,
  options?: { brief?: boolean },
): Promise<TaskView> {
  return (await taskViews(kv, [task], options))[0];
}

const english = translator("en");

function plainTaskView(task: TaskRow): PlainTaskView {
  const { debug, dry_run, diff } = task;
  const { inventory_id, git_branch, limit, tags, skip_tags } = task.given ?? task;
  return {
    id: task.id,
    project_id: task.project_id,
    template_id: task.template_id,
    status: task.status,
    message: task.message,
    created: task.created,
    start: task.start,
    end: task.end,
    user_id: task.user_id,
    user_name: task.user_name,
    schedule_id: task.schedule_id,
    integration_id: task.integration_id,
    tpl_alias: task.template_name,
    tpl_type: task.template_type,
    tpl_playbook: task.playbook,
    tpl_app: task.template_app ?? "ansible",
    playbook: "",
    inventory_id,
    environment: task.environment,
    secret: task.has_secrets ? "{}" : "",
    arguments: task.arguments,
    limit: limit.join(","),
    git_branch,
    version: task.version,
    build_task_id: task.build_task_id,
    commit_hash: task.commit_hash,
    commit_message: task.commit_message ?? "",
    debug,
    dry_run,
    diff,
    params: { limit, tags, skip_tags, debug, dry_run, diff },
    end_reason: task.end_reason ? english(task.end_reason.key, task.end_reason.params) : "",
  };
}
