import * as z from "zod";
import {
  listChoices,
  listFilter,
  listSize,
  queryFlag,
  queryNumber,
} from "../base/lists/list_query.ts";
import { KEYED, operation } from "../access/operation.ts";
import {
  foundRunsSchema,
  logMatchesSchema,
  logRecordSchema,
  logSectionsSchema,
} from "../output/matches.ts";
import { taskCommands } from "./command_operations.ts";
import { searchText } from "../output/search_params.ts";
import { queuedTaskSchema, taskOutputSchema, taskSchema, waitSchema } from "./schema.ts";
import { startTaskForm } from "./start_form.ts";
import { STATUSES } from "../model/status.ts";
import { statsQuery, statsSchema } from "./trends/schema.ts";
import { TRIGGERS } from "./trigger.ts";
import { waitQuery } from "./wait_query.ts";

const tag = "Tasks";
const id = queryNumber();
const time = listFilter(z.iso.datetime({ offset: true }), "errors.time");

/**
 * Query of a page of the history: newest first, at most `limit` (or `count`) tasks with an id below
 * `before`.
 */
export const taskListQuery = z.object({
  ...listSize,
  before: queryNumber(),
  status: listChoices(STATUSES, "errors.invalid"),
  template_id: id,
  user_id: id,
  runner_id: id,
  workflow_id: id,
  trigger: listChoices(TRIGGERS, "errors.invalid"),
  from: time,
  to: time,
});

/** Query of the queue. The next page begins after a task. */
const queueQuery = z.object({ ...listSize, after: queryNumber(0) });

/** Search options for lines: see lib/output/search_params.ts. */
const search = { regex: queryFlag, case: queryFlag, after: queryNumber(0) };
const outputQuery = z.object({
  ...search,
  ...listSize,
  search: searchText.optional().describe("Return only lines that contain this text, at most 1,000"),
});
const searchQuery = z.object({ ...search, q: searchText.default("") });

const listed = {
  tag,
  access: "member",
  query: taskListQuery,
  answer: z.array(taskSchema),
} as const;
const stats = { tag, access: "member", query: statsQuery, answer: statsSchema } as const;

export const taskOperations = {
  listQueue: operation({
    id: "listQueue",
    method: "GET",
    path: "/tasks",
    tag,
    summary: "List the open tasks of all projects",
    details: "Oldest first, at most 1,000.",
    access: "admin",
    query: queueQuery,
    answer: z.array(queuedTaskSchema),
  }),
  stopQueued: operation({
    id: "stopQueuedTask",
    method: "DELETE",
    path: "/tasks/{taskId}",
    tag,
    summary: "Stop a task of any project",
    details: "A finished task stays as it is.",
    access: "admin",
  }),
  list: operation({
    ...listed,
    id: "listTasks",
    method: "GET",
    path: "/project/{projectId}/tasks",
    summary: "List the tasks of a project",
    details: "Latest first.",
  }),
  listLast: operation({
    ...listed,
    id: "listLastTasks",
    method: "GET",
    path: "/project/{projectId}/tasks/last",
    summary: "List the latest tasks of a project",
    details: "At most 200, unless `limit` is sent.",
  }),
  listOfTemplate: operation({
    ...listed,
    id: "listTemplateTasks",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/tasks",
    summary: "List the tasks of a template",
    details: "Latest first.",
  }),
  listLastOfTemplate: operation({
    ...listed,
    id: "listLastTemplateTasks",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/tasks/last",
    summary: "List the latest tasks of a template",
    details: "At most 200, unless `limit` is sent.",
  }),
  stats: operation({
    ...stats,
    id: "getProjectStats",
    method: "GET",
    path: "/project/{projectId}/stats",
    summary: "Get the daily statistics of a project",
    details:
      "Counts how tasks ended, for each UTC day of the last 400 on which tasks were created.",
  }),
  statsOfTemplate: operation({
    ...stats,
    id: "getTemplateStats",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/stats",
    summary: "Get the daily statistics of a template",
    details:
      "Counts how tasks ended, for each UTC day of the last 400 on which tasks were created.",
  }),
  start: operation({
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
  }),
  get: operation({
    id: "getTask",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}",
    tag,
    summary: "Get a task",
    access: "member",
    query: waitQuery,
    errors: [429],
    answer: taskSchema,
  }),
  getWait: operation({
    id: "getTaskWait",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/wait",
    tag,
    summary: "Get the reason why a task waits",
    access: "member",
    answer: waitSchema,
  }),
  stages: operation({
    id: "listTaskStages",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/stages",
    tag,
    summary: "List the stages of a task for clients that expect them",
    details: "Always empty. `sections` has plays and Ansible tasks.",
    access: "member",
    answer: z.array(z.record(z.string(), z.string())),
  }),
  delete: operation({
    id: "deleteTask",
    method: "DELETE",
    path: "/project/{projectId}/tasks/{taskId}",
    tag,
    summary: "Delete a finished task and its output",
    access: "admin",
    errors: [409],
  }),
  output: operation({
    id: "getTaskOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/output",
    tag,
    summary: "Get the output of a task as JSON",
    details: "One object per line. With `search`, only matching lines.",
    access: "member",
    query: outputQuery,
    answer: z.array(logRecordSchema),
    errors: [429],
  }),
  outputs: operation({
    id: "listTaskOutputs",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/outputs",
    tag,
    summary: "List the outputs of a task",
    details: "Values that its play reported, by name, once it has ended. At most 100.",
    access: "member",
    answer: z.array(taskOutputSchema),
  }),
  sections: operation({
    id: "getTaskSections",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/sections",
    tag,
    summary: "List the sections of the output of a task",
    details: "Plays and Ansible tasks, each with its first line.",
    access: "member",
    query: z.object({ skip: queryNumber(0), ...listSize }),
    answer: logSectionsSchema,
  }),
  rawOutput: operation({
    id: "getTaskRawOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/raw_output",
    tag,
    summary: "Get the output of a task as plain text",
    access: "member",
    query: z.object({
      times: queryFlag.describe("With `true`, each line starts with its time"),
      plain: queryFlag.describe("With `true`, lines are as shown on the page, without colors"),
    }),
    answer: z.string(),
    contentType: "text/plain",
  }),
  searchOutput: operation({
    id: "searchTaskOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/search",
    tag,
    summary: "Search the output of a task",
    details: "Returns the numbers of the next 1,000 matching lines, and how many lines match.",
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
    summary: "Search the output of all tasks of a template",
    details: "Latest task first. A request searches for two seconds; continue with `before`.",
    access: "member",
    query: z.object({
      q: searchText.default(""),
      regex: queryFlag,
      case: queryFlag,
      before: queryNumber(),
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
    summary: "Follow the output and status of a task",
    details: "Server-sent events. A reconnecting client continues after its `Last-Event-ID`.",
    access: "member",
    query: z.object({ after: queryNumber(0) }),
    answer: z.string(),
    contentType: "text/event-stream",
    errors: [429],
  }),
  ...taskCommands,
};
