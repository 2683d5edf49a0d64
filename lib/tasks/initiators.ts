import { seenTasks } from "../access/seen/tasks.ts";
import type { Sight } from "../access/sight.ts";
import type { RecordedPerson } from "../base/person.ts";
import { getTasks } from "../model/tasks.ts";
import { getAll } from "../store/rows/get_all.ts";
import { type ResourceKind, rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { firstCauseOf } from "./cause.ts";
import type { TaskView } from "./schema.ts";
import type { TaskRow } from "../model/task_row.ts";
import { type Trigger, triggerOf } from "./trigger.ts";
import { taskViews } from "./view.ts";
import type { WaitDeps } from "./waiting/read_reasons.ts";

/** The initiator of a task. */
export interface Initiator {
  trigger: Trigger;
  /** Name of the schedule, integration or workflow; empty if unknown, and for a person. */
  name: string;
  /** The person who started it, unless a trigger did. */
  person: RecordedPerson | null;
  /** Id of the schedule, integration or workflow, while it exists. */
  id: number | null;
  /** Set for a workflow or a build that the reader may not see, without name and id. */
  hidden?: true;
}

/** A task with its initiator. */
export interface StartedTask extends TaskView {
  initiator: Initiator;
}

/** Returns tasks as pages show them, without answers that are stored outside of the row. */
export async function startedTasks(
  deps: WaitDeps,
  tasks: TaskRow[],
  sight: Sight | null,
): Promise<StartedTask[]> {
  const [views, starters] = await Promise.all([
    taskViews(deps, tasks, { brief: true, sight }),
    initiatorsOf(deps.kv, tasks, sight),
  ]);
  return views.map((view, n) => ({ ...view, initiator: starters[n] }));
}

/**
 * Returns the initiator of each task, with its current name or else the name at that time, as
 * someone sees it.
 */
export async function initiatorsOf(
  kv: Store,
  tasks: TaskRow[],
  sight: Sight | null,
): Promise<Initiator[]> {
  const isHidden = await hiddenInitiators(kv, tasks, sight);
  const keys = new Map<string, Deno.KvKey>();
  for (const task of tasks) {
    const key = starterKey(task);
    if (key) keys.set(key.join("/"), key);
  }
  const rows = await getAll<{ id: number; name: string }>(kv, [...keys.values()]);
  const found = new Map([...keys.keys()].map((text, n) => [text, rows[n].value]));
  return tasks.map((task) => {
    const now = found.get(starterKey(task)?.join("/") ?? "");
    const trigger = triggerOf(task);
    if (isHidden(task)) return { trigger, name: "", person: null, id: null, hidden: true };
    const name = now?.name || task.started_by?.name || "";
    const person = name === "" && task.user_name ? personOf(task) : null;
    return { trigger, name, person, id: now?.id ?? null };
  });
}

/** Returns whether the initiator of a task is a workflow or a build that someone does not see. */
async function hiddenInitiators(
  kv: Store,
  tasks: TaskRow[],
  sight: Sight | null,
): Promise<(task: TaskRow) => boolean> {
  if (!sight || sight.seesAll) return () => false;
  const wanted = tasks.flatMap(({ project_id, build_task_id }): [number, number][] =>
    build_task_id === null ? [] : [[project_id, build_task_id]]
  );
  const builds = new Set(seenTasks(sight, await getTasks(kv, wanted)).map(({ id }) => id));
  return (task) => {
    const cause = firstCauseOf(task);
    if (cause.kind === "step") return !sight.maySee("workflows", cause.workflow.workflow_id);
    return cause.kind === "deploy" && !builds.has(cause.build_task_id ?? 0);
  };
}

const personOf = ({ user_id, username, user_name }: TaskRow) => ({ user_id, username, user_name });

/** Returns the key of the row that started a task and can be renamed or deleted; null for none. */
function starterKey(task: TaskRow): Deno.KvKey | null {
  const cause = firstCauseOf(task);
  const keyOf = (kind: ResourceKind, id: number | null) =>
    id ? rowKeys.resource(kind, task.project_id, id) : null;
  if (cause.kind === "schedule") return keyOf("schedules", cause.id);
  if (cause.kind === "integration") return keyOf("integrations", cause.id);
  return cause.kind === "step" ? keyOf("workflows", cause.workflow.workflow_id) : null;
}
