import { z } from "zod";
import { listChoices, listFilter, listNumber, listSize } from "../base/list_query.ts";
import { operation } from "../access/operation.ts";
import {
  foundRunsSchema,
  logMatchesSchema,
  logRecordSchema,
  logSectionsSchema,
} from "../output/matches.ts";
import { searchChoice, searchText } from "../output/search_params.ts";
import { taskSchema } from "./schema.ts";
import { queuedTaskSchema } from "./queued_task.ts";
import { startTaskForm, stopTaskForm } from "./start_form.ts";
import { STATUSES } from "./status.ts";
import { statsQuery, statsSchema } from "./trends/schema.ts";
import { TRIGGERS } from "./trigger.ts";

const tag = "Tasks";
const id = listFilter(z.coerce.number().int().min(1), "errors.integer");
const time = listFilter(z.iso.datetime({ offset: true }), "errors.time");

/**
 * Query of a page of the history: newest first, at most `limit` (or `count`) tasks with an id below
 * `before`.
 */
export const taskListQuery = z.object({
  ...listSize,
  before: listNumber(),
  status: listChoices(STATUSES, "errors.invalid"),
  template_id: id,
  user_id: id,
  trigger: listChoices(TRIGGERS, "errors.invalid"),
  from: time,
  to: time,
});

/** Query of the queue. The next page begins after a task. */
const queueQuery = z.object({ ...listSize, after: listNumber(0) });

/** Search options for lines: see lib/output/search_params.ts. */
const search = { regex: searchChoice, case: searchChoice, after: listNumber(0) };
const outputQuery = z.object({
  ...search,
  limit: listNumber(),
  search: searchText.optional().describe("Only lines that hold this, at most 1,000 of them"),
});
const searchQuery = z.object({ ...search, q: searchText.default("") });

const listed = {
  tag,
  access: "member",
  query: taskListQuery,
  answer: z.array(taskSchema),
} as const;
const stats = { tag, access: "member", query: statsQuery, answer: statsSchema } as const;
const command = { method: "POST", tag, access: "run_tasks", status: 204 } as const;

export const taskOperations = {
  listQueue: operation({
    id: "listQueue",
    method: "GET",
    path: "/tasks",
    tag,
    summary: "The tasks of all projects that have not ended, oldest first, at most 1,000",
    access: "admin",
    query: queueQuery,
    answer: z.array(queuedTaskSchema),
  }),
  stopQueued: operation({
    id: "stopQueuedTask",
    method: "DELETE",
    path: "/tasks/{taskId}",
    tag,
    summary: "Stop a task of any project; one that has ended stays as it is",
    access: "admin",
  }),
  list: operation({
    ...listed,
    id: "listTasks",
    method: "GET",
    path: "/project/{projectId}/tasks",
    summary: "A project's tasks, newest first",
  }),
  listLast: operation({
    ...listed,
    id: "listLastTasks",
    method: "GET",
    path: "/project/{projectId}/tasks/last",
    summary: "A project's newest tasks, 200 unless a limit is given",
  }),
  listOfTemplate: operation({
    ...listed,
    id: "listTemplateTasks",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/tasks",
    summary: "A template's tasks, newest first",
  }),
  listLastOfTemplate: operation({
    ...listed,
    id: "listLastTemplateTasks",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/tasks/last",
    summary: "A template's newest tasks, 200 unless a limit is given",
  }),
  stats: operation({
    ...stats,
    id: "getProjectStats",
    method: "GET",
    path: "/project/{projectId}/stats",
    summary: "How a project's runs ended, for each UTC day of the last 400 that had any",
  }),
  statsOfTemplate: operation({
    ...stats,
    id: "getTemplateStats",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/stats",
    summary: "How a template's runs ended, for each UTC day of the last 400 that had any",
  }),
  start: operation({
    id: "startTask",
    method: "POST",
    path: "/project/{projectId}/tasks",
    tag,
    summary: "Queue a run of a template",
    access: "run_tasks",
    body: startTaskForm,
    answer: taskSchema,
  }),
  get: operation({
    id: "getTask",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}",
    tag,
    summary: "One task",
    access: "member",
    answer: taskSchema,
  }),
  delete: operation({
    id: "deleteTask",
    method: "DELETE",
    path: "/project/{projectId}/tasks/{taskId}",
    tag,
    summary: "Delete a task that has ended, with its output",
    access: "admin",
    errors: [409],
  }),
  output: operation({
    id: "getTaskOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/output",
    tag,
    summary: "A task's output so far, a record a line; with search, only lines that hold a text",
    access: "member",
    query: outputQuery,
    answer: z.array(logRecordSchema),
    errors: [429],
  }),
  sections: operation({
    id: "getTaskSections",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/sections",
    tag,
    summary: "The plays of a task's output and their tasks, with the lines where they begin",
    access: "member",
    query: z.object({ skip: listNumber(0), limit: listNumber() }),
    answer: logSectionsSchema,
  }),
  rawOutput: operation({
    id: "getTaskRawOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/raw_output",
    tag,
    summary: "A task's output so far as plain text",
    access: "member",
    query: z.object({
      times: searchChoice.describe("With `true`, each line begins with its time"),
      plain: searchChoice.describe("With `true`, lines are as they are shown, without colours"),
    }),
    answer: z.string(),
    contentType: "text/plain",
  }),
  searchOutput: operation({
    id: "searchTaskOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/search",
    tag,
    summary: "The numbers of the next 1,000 lines that hold a text, and how many there are",
    access: "member",
    query: searchQuery,
    answer: logMatchesSchema,
    errors: [429],
  }),
  searchRuns: operation({
    id: "searchTemplateRuns",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/search",
    tag,
    summary: "Which runs of a template printed a text, newest first, for two seconds at a time",
    access: "member",
    query: z.object({
      q: searchText.default(""),
      regex: searchChoice,
      case: searchChoice,
      before: listNumber(),
      from: time,
    }),
    answer: foundRunsSchema,
    errors: [429],
  }),
  events: operation({
    id: "streamTask",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/events",
    tag,
    summary:
      "A task's output and status as they come: server-sent events, resumed by Last-Event-ID",
    access: "member",
    answer: z.string(),
    contentType: "text/event-stream",
    errors: [429],
  }),
  confirm: operation({
    ...command,
    id: "confirmTask",
    path: "/project/{projectId}/tasks/{taskId}/confirm",
    summary: "Let a task go on that waits for a confirmation",
    errors: [409],
  }),
  reject: operation({
    ...command,
    id: "rejectTask",
    path: "/project/{projectId}/tasks/{taskId}/reject",
    summary: "End a task that waits for a confirmation, as stopped",
    errors: [409],
  }),
  stop: operation({
    ...command,
    id: "stopTask",
    path: "/project/{projectId}/tasks/{taskId}/stop",
    summary: "Stop a task; with force kill it at once",
    body: stopTaskForm,
    emptyBody: null,
  }),
  stopAll: operation({
    ...command,
    id: "stopAllTemplateTasks",
    path: "/project/{projectId}/templates/{templateId}/stop_all_tasks",
    summary: "Stop every task of a template that has not ended",
    body: stopTaskForm,
    emptyBody: null,
  }),
};
