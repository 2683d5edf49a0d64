import * as z from "zod";
import {
  listAfter,
  listBefore,
  listSize,
  listSkip,
  queryFlag,
  TO_SEARCH,
} from "../../base/lists/list_query.ts";
import { operation } from "../../access/operation.ts";
import {
  foundRunsSchema,
  logMatchesSchema,
  logRecordSchema,
  logSectionsSchema,
} from "../../output/matches.ts";
import { searchText } from "../../output/search_params.ts";
import { taskListQuery, taskOutputSchema, taskSchema, type TaskView } from "../../tasks/schema.ts";
import { listSections } from "../../results/log_failures.ts";
import { taskFilter } from "../../tasks/history/filter.ts";
import { listOutputs } from "../../tasks/outputs.ts";
import { type FoundLines, searchTaskLog } from "../../search/output.ts";
import { searchTemplateRuns } from "../../search/task_outputs.ts";
import { getTask, nextLogLine, readTaskLog } from "../../tasks/service.ts";
import { outputJson, outputRecord, outputText } from "../../output/formats.ts";
import { taskEvents } from "../../tasks/follow_task.ts";
import { textStream } from "../../http/text_stream.ts";
import { Answer } from "../../access/answer.ts";
import { linkTo } from "./responding.ts";
import { tellingOf } from "./translate_answer.ts";

const tag = "Tasks";

/** Search options for lines: see lib/output/search_params.ts. */
const how = {
  regex: queryFlag.describe("With `true`, the text is a regular expression"),
  case: queryFlag.describe("With `true`, uppercase and lowercase letters differ"),
};
const search = { ...how, after: listAfter };
const outputQuery = z.object({
  ...search,
  ...listSize,
  search: searchText.optional().describe("Return only lines that contain this text, at most 1,000"),
});
const searchQuery = z.object({ ...search, q: searchText.default("").describe(TO_SEARCH) });

const tellTask = tellingOf(taskSchema)!;

const logQuery = (text: string, query: { regex: boolean; case: boolean }) => ({
  text,
  isRegex: query.regex,
  isExact: query.case,
});

/** Responds with lines as in the output. Headers say how far the search got. */
const foundAnswer = (taskId: number, { records, searched, hasNext }: FoundLines) => {
  const headers = { "X-Has-Next": String(hasNext), "X-Searched-To": String(searched) };
  const lines = records.map((record) => outputRecord(taskId, record));
  return new Answer(lines, { headers }, hasNext ? { after: searched } : null);
};

export const taskLogOperations = [
  operation({
    id: "getTaskOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/output",
    tag,
    summary: "Get the output of a task as JSON",
    details: "One object per line. With `search`, only matching lines.",
    access: "read_output",
    query: outputQuery,
    answer: z.array(logRecordSchema),
    errors: [429],
    async run({ scope, ids, query, req, url }) {
      const { after, limit = query.count } = query;
      if (query.search !== undefined) {
        const options = { ...query, limit, gone: req.signal };
        const asked = logQuery(query.search, query);
        return foundAnswer(ids.taskId, await searchTaskLog(scope, ids.taskId, asked, options));
      }
      const chunks = await readTaskLog(scope, ids.taskId, after, limit);
      const next = limit === undefined ? null : await nextLogLine(scope, ids.taskId, after, limit);
      return new Response(textStream(() => outputJson(chunks, ids.taskId)), {
        headers: {
          "Content-Type": "application/json",
          ...(next !== null && { Link: linkTo({ after: next }, url, scope) }),
        },
      });
    },
  }),
  operation({
    id: "listTaskOutputs",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/outputs",
    tag,
    summary: "List the outputs of a task",
    details: "Values that its play reported, by name, once it has ended. At most 100.",
    access: "member",
    answer: z.array(taskOutputSchema),
    run: ({ scope, ids }) => listOutputs(scope, ids.taskId),
  }),
  operation({
    id: "getTaskSections",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/sections",
    tag,
    summary: "List the sections of the output of a task",
    details: "Plays and Ansible tasks, each with its first line.",
    access: "member",
    query: z.object({ skip: listSkip, ...listSize }),
    answer: logSectionsSchema,
    run: ({ scope, ids, query }) =>
      listSections(scope, ids.taskId, query.skip, query.limit ?? query.count),
  }),
  operation({
    id: "getTaskRawOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/raw_output",
    tag,
    summary: "Get the output of a task as plain text",
    access: "read_output",
    query: z.object({
      times: queryFlag.describe("With `true`, each line starts with its time"),
      plain: queryFlag.describe("With `true`, lines are as shown on the page, without colors"),
    }),
    answer: z.string(),
    contentType: "text/plain",
    async run({ scope, ids, query }) {
      const chunks = await readTaskLog(scope, ids.taskId);
      return new Response(textStream(() => outputText(chunks, query)), {
        headers: {
          "Content-Type": "text/plain; charset=utf-8",
          "Content-Disposition": `inline; filename="task_${ids.taskId}.txt"`,
        },
      });
    },
  }),
  operation({
    id: "searchTaskOutput",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/search",
    tag,
    summary: "Search the output of a task",
    details: "Returns the numbers of the next 1,000 matching lines, and how many lines match.",
    access: "read_output",
    query: searchQuery,
    answer: logMatchesSchema,
    errors: [429],
    async run({ scope, ids, query, req }) {
      const options = { after: query.after, gone: req.signal };
      const asked = logQuery(query.q, query);
      const { records, searched, found, counted } = await searchTaskLog(
        scope,
        ids.taskId,
        asked,
        options,
      );
      return {
        lines: records.map(({ id }) => id),
        marks: records.map(({ marks = [] }) => marks),
        searched,
        found,
        counted,
      };
    },
  }),
  operation({
    id: "searchTemplateRuns",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/search",
    tag,
    summary: "Search the output of all tasks of a template",
    details: "Latest task first. A request searches for two seconds; continue with `before`.",
    access: "read_output",
    query: z.object({
      q: searchText.default("").describe(TO_SEARCH),
      ...how,
      before: listBefore,
      from: taskListQuery.shape.from,
    }),
    answer: foundRunsSchema,
    errors: [429],
    run({ scope, ids, query, req }) {
      const { before, from } = taskFilter(query, 1_000);
      const asked = { query: logQuery(query.q, query), before, from };
      return searchTemplateRuns(scope, ids.templateId, asked, req.signal);
    },
  }),
  operation({
    id: "streamTask",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/events",
    tag,
    summary: "Follow the output and status of a task",
    details: "Server-sent events. A reconnecting client continues after its `Last-Event-ID`. " +
      "People who may not read output get no lines.",
    access: "member",
    query: z.object({ after: listAfter }),
    answer: z.string(),
    contentType: "text/event-stream",
    errors: [429],
    async run({ scope, ids, req, query, ui }) {
      await getTask(scope, ids.taskId);
      const seen = req.headers.get("last-event-id") ?? "";
      const after = /^\d{1,12}$/.test(seen) ? Number(seen) : query.after ?? 0;
      const translate = (task: TaskView) => tellTask(task, ui.t);
      return (gone) => taskEvents(scope, ids.taskId, after, translate, gone);
    },
  }),
];
