import { seenTasks } from "../access/seen/tasks.ts";
import type { Sight } from "../access/sight.ts";
import type { Reason } from "../base/reason.ts";
import type { Store } from "../store/store.ts";
import { readAnswers } from "./answer_store.ts";
import { approvalView } from "./approval.ts";
import { reasonOfEnd } from "./reason.ts";
import { previewView } from "./preview_state.ts";
import { getTasks } from "../model/tasks.ts";
import type { PlainTaskView, TaskView } from "./schema.ts";
import type { TaskRow } from "../model/task_row.ts";
import { findTemplateHeads } from "../model/templates.ts";
import type { WaitDeps } from "./waiting/read_reasons.ts";
import { waitReasons } from "./waiting/wait_reasons.ts";

/** Current names of templates, by id. */
export type ShownTemplate = ReadonlyMap<number, string>;

interface ViewOptions {
  /** Names that are already known. Others are read. */
  names?: ShownTemplate;
  /** Leaves out answers that are stored outside of the row. A build's are never read. */
  brief?: boolean;
  /** Leaves out why tasks wait. */
  unjudged?: boolean;
  /** The sight of the reader. Without it, builds and workflows are shown that may be hidden. */
  sight?: Sight | null;
}

/**
 * Returns tasks as the API shows them, each with the build that it deploys. They have the settings
 * of their start, but the current name of their template.
 */
export async function taskViews(
  deps: WaitDeps,
  tasks: TaskRow[],
  { names: known = new Map(), brief = false, unjudged = false, sight = null }: ViewOptions = {},
): Promise<TaskView[]> {
  const { kv } = deps;
  const wanted = new Map<number, [number, number]>();
  for (const { project_id, build_task_id } of tasks) {
    if (build_task_id !== null) wanted.set(build_task_id, [project_id, build_task_id]);
  }
  const found = await getTasks(kv, [...wanted.values()]);
  const builds = new Map((sight ? seenTasks(sight, found) : found).map((row) => [row.id, row]));
  const [names, waits] = await Promise.all([
    templateNames(kv, [...tasks, ...builds.values()], known),
    unjudged ? new Map<number, Reason>() : waitReasons(deps, tasks),
  ]);
  return await Promise.all(tasks.map(async (task) => {
    const build = task.build_task_id === null ? undefined : builds.get(task.build_task_id);
    return {
      ...plainTaskView(task, names, waits.get(task.id)),
      ...sight && hiddenParts(task, sight, build),
      environment: brief ? task.environment : await readAnswers(kv, task),
      build_task: build ? plainTaskView(build, names) : null,
    };
  }));
}

/** Returns the members of a task that name a build or a workflow, empty if that is hidden. */
function hiddenParts(task: TaskRow, sight: Sight, build?: TaskRow): Partial<PlainTaskView> {
  const isSeen = !task.workflow || sight.maySee("workflows", task.workflow.workflow_id);
  return {
    ...!sight.seesAll && !build && { build_task_id: null },
    ...!isSeen && { workflow_run_id: null, workflow_id: null, workflow_step_id: null },
  };
}

async function templateNames(
  kv: Store,
  tasks: TaskRow[],
  known: ShownTemplate,
): Promise<ShownTemplate> {
  const unknown = new Map(
    tasks.filter(({ template_id }) => !known.has(template_id))
      .map(({ template_id, project_id }) => [template_id, project_id]),
  );
  if (unknown.size === 0) return known;
  const templates = await findTemplateHeads(kv, [...unknown].map(([id, project]) => [project, id]));
  return new Map([...known, ...templates.map(({ id, name }) => [id, name] as const)]);
}

export async function taskView(
  deps: WaitDeps,
  task: TaskRow,
  options?: ViewOptions,
): Promise<TaskView> {
  return (await taskViews(deps, [task], options))[0];
}

function plainTaskView(task: TaskRow, names: ShownTemplate, wait?: Reason): PlainTaskView {
  const { debug, dry_run, diff } = task;
  const { inventory_id, git_branch, limit, tags, skip_tags } = task.given;
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
    username: task.username ?? null,
    user_name: task.user_name,
    schedule_id: task.schedule_id,
    integration_id: task.integration_id,
    tpl_alias: names.get(task.template_id) ?? task.template_name,
    tpl_type: task.template_type,
    tpl_playbook: task.playbook,
    tpl_app: task.template_app,
    playbook: "",
    inventory_id,
    environment: task.environment,
    secret: task.has_secrets ? "{}" : "",
    arguments: task.arguments ?? task.no_arguments ?? null,
    limit: limit.join(","),
    git_branch,
    version: task.version,
    build_task_id: task.build_task_id,
    commit_hash: task.commit_hash,
    commit_message: task.commit_message ?? "",
    debug,
    dry_run,
    diff,
    check: task.check ?? false,
    params: {
      ...{ limit, tags, skip_tags, debug, dry_run, diff },
      skip_galaxy_install: task.given.skip_galaxy_install ?? null,
    },
    requirements: (task.requirements?.items ?? []).map(
      ({ kind, name, version, resolved }) => ({ kind, name, version, resolved }),
    ),
    preview: task.preview ? previewView(task.preview) : null,
    approval: task.approval ? approvalView(task.approval) : null,
    end_reason: task.end_reason ?? "",
    failure_line: task.failure_line ?? null,
    reason: wait ?? reasonOfEnd(task),
    output_cut: task.output_cut ?? false,
    retry_of: task.retry_of?.task_id ?? null,
    retry: retryOf(task),
    attempt: task.attempt?.n ?? null,
    attempts: task.attempt?.of ?? null,
    next_retry: task.attempt?.next_at ?? null,
    next_attempt_id: task.attempt?.next_id ?? null,
    own_key: task.own_key_id !== undefined,
    runner_id: task.runner_id ?? null,
    runner_name: task.runner_name ?? null,
    ansible_version: task.ansible_version ?? null,
    workflow_run_id: task.workflow?.run_id ?? null,
    workflow_id: task.workflow?.workflow_id ?? null,
    workflow_step_id: task.workflow?.step_id ?? null,
  };
}

const retryOf = ({ retry_of }: TaskRow): PlainTaskView["retry"] =>
  retry_of
    ? { hosts: retry_of.hosts, of: retry_of.of, start_at_task: retry_of.start_at ?? null }
    : null;
