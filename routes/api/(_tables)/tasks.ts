import { makeOnceByKey } from "@/lib/access/sent_forms.ts";
import { openProject, type ProjectScope } from "@/lib/access/scope.ts";
import { listTaskVotes } from "@/lib/queue/approvals/approvals.ts";
import { confirmTask, rejectTask, requireTaskVoter } from "@/lib/queue/approvals/confirm.ts";
import { listQueue } from "@/lib/queue/waiting/list.ts";
import { getTaskWait } from "@/lib/queue/waiting/overview.ts";
import { retryTask } from "@/lib/queue/again/retry.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { stopQueuedTask, stopTask, stopTemplateTasks } from "@/lib/queue/ending/stop.ts";
import { listSections } from "@/lib/results/log_failures.ts";
import { taskFilter } from "@/lib/tasks/history/filter.ts";
import { listOutputs } from "@/lib/tasks/outputs.ts";
import { taskOperations } from "@/lib/tasks/operations.ts";
import { taskSchema, type TaskView } from "@/lib/tasks/schema.ts";
import { type FoundLines, searchTaskLog } from "@/lib/search/output.ts";
import { searchTemplateRuns } from "@/lib/search/task_outputs.ts";
import { getTask, listTasks, nextLogLine, readTaskLog } from "@/lib/tasks/service.ts";
import { deleteTask } from "@/lib/maintenance/tasks.ts";
import { readStats } from "@/lib/tasks/trends/service.ts";
import { outputJson, outputRecord, outputText } from "@/lib/output/formats.ts";
import { taskEnd, taskEvents } from "@/lib/tasks/follow_task.ts";
import { isFinished } from "@/lib/model/status.ts";
import { waitForEnd } from "@/lib/tasks/waits.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { textStream } from "@/lib/web/text_stream.ts";
import { Answer, paged } from "@/lib/web/api/answer.ts";
import { linkTo } from "@/lib/web/api/responding.ts";
import { tellingOf } from "@/lib/web/api/translate_answer.ts";
import { bind } from "@/lib/web/api/bind.ts";

const tellTask = tellingOf(taskSchema)!;

const LIST_MAX = 1000;
const LAST_MAX = 200;

async function page(scope: ProjectScope, filter: ReturnType<typeof taskFilter>) {
  const { tasks, hasNext } = await listTasks(scope, filter);
  return paged(tasks, hasNext, ({ id }) => ({ before: id }));
}

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

export const tasks = bind(taskOperations, {
  async listQueue({ scope, query: { limit, count, after } }) {
    const { tasks, hasNext } = await listQueue(scope, { limit: limit ?? count, after });
    return paged(tasks, hasNext, ({ task_id }) => ({ after: task_id }));
  },
  stopQueued: ({ scope, ids }) => stopQueuedTask(scope, ids.taskId),
  list: ({ scope, query }) => page(scope, taskFilter(query, LIST_MAX)),
  listLast: ({ scope, query }) => page(scope, taskFilter(query, LAST_MAX)),
  listOfTemplate: ({ scope, ids, query }) =>
    page(scope, taskFilter(query, LIST_MAX, ids.templateId)),
  listLastOfTemplate: ({ scope, ids, query }) =>
    page(scope, taskFilter(query, LAST_MAX, ids.templateId)),
  stats: ({ scope, query }) => readStats(scope, query),
  statsOfTemplate: ({ scope, ids, query }) => readStats(scope, query, ids.templateId),
  start: ({ scope, body, keyed }) =>
    makeOnceByKey(
      scope,
      keyed,
      (also) => startTask(scope, body, also),
      (id) => getTask(scope, id),
    ),
  async get({ scope, ids, query, req }) {
    const task = await getTask(scope, ids.taskId);
    if (query.wait === 0 || isFinished(task.status)) return task;
    const gone = req.signal;
    await waitForEnd(scope, { seconds: query.wait, gone }, (s) => taskEnd(scope, task.id, s));
    return await getTask(scope, task.id);
  },
  async stages({ scope, ids }) {
    await getTask(scope, ids.taskId);
    return [];
  },
  getWait: ({ scope, ids }) => getTaskWait(scope, ids.taskId),
  delete: async ({ scope, ids, expected }) =>
    deleteTask(await openProject(scope, ids.projectId, "manage_resources"), ids.taskId, expected),
  async output({ scope, ids, query, req, url, state }) {
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
        ...(next !== null && { Link: linkTo({ after: next }, url, state) }),
      },
    });
  },
  outputs: ({ scope, ids }) => listOutputs(scope, ids.taskId),
  sections: ({ scope, ids, query }) =>
    listSections(scope, ids.taskId, query.skip, query.limit ?? query.count),
  async rawOutput({ scope, ids, query }) {
    const chunks = await readTaskLog(scope, ids.taskId);
    return new Response(textStream(() => outputText(chunks, query)), {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": `inline; filename="task_${ids.taskId}.txt"`,
      },
    });
  },
  async searchOutput({ scope, ids, query, req }) {
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
  searchRuns({ scope, ids, query, req }) {
    const { before, from } = taskFilter(query, LIST_MAX);
    const asked = { query: logQuery(query.q, query), before, from };
    return searchTemplateRuns(scope, ids.templateId, asked, req.signal);
  },
  async events({ scope, ids, req, query, state }) {
    await getTask(scope, ids.taskId);
    const seen = req.headers.get("last-event-id") ?? "";
    const after = /^\d{1,12}$/.test(seen) ? Number(seen) : query.after ?? 0;
    const translate = (task: TaskView) => tellTask(task, state.ui.t);
    const follow = (gone: AbortSignal) => taskEvents(scope, ids.taskId, after, translate, gone);
    return openStream({ state, req }, follow, { events: (event) => [event] });
  },
  retry: ({ scope, ids, body, keyed }) =>
    makeOnceByKey(
      scope,
      keyed,
      (also) => retryTask(scope, ids.taskId, body, { also }),
      (id) => getTask(scope, id),
    ),
  approvals: ({ scope, ids }) => listTaskVotes(scope, ids.taskId),
  confirm: {
    admit: ({ scope, ids }) => requireTaskVoter(scope, ids.taskId),
    run: ({ scope, ids, body }) => confirmTask(scope, ids.taskId, body),
  },
  reject: {
    admit: ({ scope, ids }) => requireTaskVoter(scope, ids.taskId),
    run: ({ scope, ids, body }) => rejectTask(scope, ids.taskId, body),
  },
  stop: ({ scope, ids, body }) => stopTask(scope, ids.taskId, body.force),
  stopAll: ({ scope, ids, body }) => stopTemplateTasks(scope, ids.templateId, body.force),
});
