import * as z from "zod";
import { listAfter, listSize } from "../../base/lists/list_query.ts";
import { KEYED, operation } from "../../access/operation.ts";
import { queuedTaskSchema, taskListQuery, taskSchema, waitSchema } from "../../tasks/schema.ts";
import { startTaskForm } from "../../tasks/start_form.ts";
import { isFinished } from "../../model/status.ts";
import { statsQuery, statsSchema } from "../../tasks/trends/schema.ts";
import { waitQuery } from "../../tasks/wait_query.ts";
import { makeOnceByKey } from "../../access/sent_forms.ts";
import { openProject, type ProjectScope } from "../../access/scope.ts";
import { listQueue } from "../../queue/waiting/list.ts";
import { getTaskWait } from "../../queue/waiting/overview.ts";
import { startTask } from "../../queue/start/start.ts";
import { stopQueuedTask } from "../../queue/ending/stop.ts";
import { taskFilter } from "../../tasks/history/filter.ts";
import { getTask, listTasks } from "../../tasks/service.ts";
import { deleteTask } from "../../maintenance/tasks.ts";
import { readStats } from "../../tasks/trends/service.ts";
import { taskEnd } from "../../tasks/follow_task.ts";
import { waitForEnd } from "../../tasks/waits.ts";
import { paged, pagedUntil } from "../../access/answer.ts";

const tag = "Tasks";

/** Query of the queue. The next page begins after a task. */
const queueQuery = z.object({ ...listSize, after: listAfter });

const listed = {
  tag,
  access: "member",
  query: taskListQuery,
  answer: z.array(taskSchema),
} as const;
const stats = { tag, access: "member", query: statsQuery, answer: statsSchema } as const;

const LIST_MAX = 1000;

const LAST_MAX = 200;

async function page(scope: ProjectScope, filter: ReturnType<typeof taskFilter>) {
  const { tasks, next } = await listTasks(scope, filter);
  return pagedUntil(tasks, next === null ? null : { before: next });
}

export const taskOperations = [
  operation({
    id: "listQueue",
    method: "GET",
    path: "/tasks",
    tag,
    summary: "List the open tasks of all projects",
    details: "Oldest first, at most 1,000.",
    access: "admin",
    query: queueQuery,
    answer: z.array(queuedTaskSchema),
    async run({ scope, query: { limit, count, after } }) {
      const { tasks, hasNext } = await listQueue(scope, { limit: limit ?? count, after });
      return paged(tasks, hasNext, ({ task_id }) => ({ after: task_id }));
    },
  }),
  operation({
    id: "stopQueuedTask",
    method: "DELETE",
    path: "/tasks/{taskId}",
    tag,
    summary: "Stop a task of any project",
    details: "A finished task stays as it is. A token needs the scope `run`, too.",
    access: "admin",
    run: ({ scope, ids }) => stopQueuedTask(scope, ids.taskId),
  }),
  operation({
    ...listed,
    id: "listTasks",
    method: "GET",
    path: "/project/{projectId}/tasks",
    summary: "List the tasks of a project",
    details: "Latest first.",
    run: ({ scope, query }) => page(scope, taskFilter(query, LIST_MAX)),
  }),
  operation({
    ...listed,
    id: "listLastTasks",
    method: "GET",
    path: "/project/{projectId}/tasks/last",
    summary: "List the latest tasks of a project",
    details: "At most 200, unless `limit` is sent.",
    run: ({ scope, query }) => page(scope, taskFilter(query, LAST_MAX)),
  }),
  operation({
    ...listed,
    id: "listTemplateTasks",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/tasks",
    summary: "List the tasks of a template",
    details: "Latest first.",
    run: ({ scope, ids, query }) => page(scope, taskFilter(query, LIST_MAX, ids.templateId)),
  }),
  operation({
    ...listed,
    id: "listLastTemplateTasks",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/tasks/last",
    summary: "List the latest tasks of a template",
    details: "At most 200, unless `limit` is sent.",
    run: ({ scope, ids, query }) => page(scope, taskFilter(query, LAST_MAX, ids.templateId)),
  }),
  operation({
    ...stats,
    id: "getProjectStats",
    method: "GET",
    path: "/project/{projectId}/stats",
    summary: "Get the daily statistics of a project",
    details:
      "Counts how tasks ended, for each UTC day of the last 400 on which tasks were created.",
    run: ({ scope, query }) => readStats(scope, query),
  }),
  operation({
    ...stats,
    id: "getTemplateStats",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/stats",
    summary: "Get the daily statistics of a template",
    details:
      "Counts how tasks ended, for each UTC day of the last 400 on which tasks were created.",
    run: ({ scope, ids, query }) => readStats(scope, query, ids.templateId),
  }),
  operation({
    id: "startTask",
    method: "POST",
    path: "/project/{projectId}/tasks",
    tag,
    summary: "Start a task",
    details: KEYED,
    access: "run_tasks",
    body: startTaskForm,
    isKeyed: true,
    answer: taskSchema,
    errors: [409, 422, 429],
    run: ({ scope, body, keyed }) =>
      makeOnceByKey(
        scope,
        keyed,
        (also) => startTask(scope, body, also),
        (id) => getTask(scope, id),
      ),
  }),
  operation({
    id: "getTask",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}",
    tag,
    summary: "Get a task",
    access: "member",
    query: waitQuery,
    errors: [429],
    answer: taskSchema,
    async run({ scope, ids, query, req }) {
      const task = await getTask(scope, ids.taskId);
      if (query.wait === 0 || isFinished(task.status)) return task;
      const gone = req.signal;
      await waitForEnd(scope, { seconds: query.wait, gone }, (s) => taskEnd(scope, task.id, s));
      return await getTask(scope, task.id);
    },
  }),
  operation({
    id: "getTaskWait",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/wait",
    tag,
    summary: "Get the reason why a task waits",
    access: "member",
    answer: waitSchema,
    run: ({ scope, ids }) => getTaskWait(scope, ids.taskId),
  }),
  operation({
    id: "listTaskStages",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/stages",
    tag,
    summary: "List the stages of a task for clients that expect them",
    details: "Always empty. `sections` has plays and Ansible tasks.",
    access: "member",
    answer: z.array(z.record(z.string(), z.string())),
    async run({ scope, ids }) {
      await getTask(scope, ids.taskId);
      return [];
    },
  }),
  operation({
    id: "deleteTask",
    method: "DELETE",
    path: "/project/{projectId}/tasks/{taskId}",
    tag,
    summary: "Delete a finished task and its output",
    details: "A token needs the scope `manage`, too.",
    access: "admin",
    errors: [409],
    run: async ({ scope, ids, expected }) =>
      deleteTask(await openProject(scope, ids.projectId, "manage_resources"), ids.taskId, expected),
  }),
];
