import * as z from "zod";
import { KEYED, operation, withExample } from "../../access/operation.ts";
import { confirmForm, noteForm, voteSchema } from "../../approvals/schema.ts";
import { retryForm } from "../../tasks/retry_form.ts";
import { taskSchema } from "../../tasks/schema.ts";
import { stopTaskForm } from "../../tasks/start_form.ts";
import { makeOnceByKey } from "../../access/sent_forms.ts";
import { listTaskVotes } from "../../queue/approvals/approvals.ts";
import { confirmTask, rejectTask, requireTaskVoter } from "../../queue/approvals/confirm.ts";
import { retryTask } from "../../queue/again/retry.ts";
import { requireTaskStopper, stopTask, stopTemplateTasks } from "../../queue/ending/stop.ts";
import { getTask } from "../../tasks/service.ts";

const tag = "Tasks";
const command = { method: "POST", tag, access: "run_tasks", status: 204 } as const;

/** A vote. The task says which members may send it. */
const vote = {
  ...command,
  access: "member",
  scopes: ["run"],
  body: noteForm,
  emptyBody: null,
  errors: [409],
} as const;

/** Commands to a task that exists. */
export const taskCommands = [
  operation({
    id: "retryTask",
    method: "POST",
    path: "/project/{projectId}/tasks/{taskId}/retry",
    tag,
    summary: "Start a finished task again on failed hosts",
    details:
      "On hosts that failed or were unreachable, with the same commit, answers and arguments. " +
      "Secret answers are not kept, so they must be sent again. 409 if no such host is left. " +
      KEYED,
    access: "run_tasks",
    isKeyed: true,
    body: retryForm,
    emptyBody: {},
    answer: taskSchema,
    errors: [409, 422, 429],
    run: ({ scope, ids, body, keyed }) =>
      makeOnceByKey(
        scope,
        keyed,
        (also) => retryTask(scope, ids.taskId, body, { also }),
        (id) => getTask(scope, id),
      ),
  }),
  operation({
    id: "listTaskApprovals",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/approvals",
    tag,
    summary: "List the votes on the approval of a task",
    details: "Oldest first.",
    access: "member",
    answer: z.array(voteSchema),
    run: ({ scope, ids }) => listTaskVotes(scope, ids.taskId),
  }),
  operation({
    ...vote,
    body: confirmForm,
    id: "confirmTask",
    path: "/project/{projectId}/tasks/{taskId}/confirm",
    summary: "Approve a task",
    details:
      "The task must be waiting for approval. Its rule defines who may approve it, and the " +
      "number of approvals. If its preview has failed on hosts, 409 without " +
      "`in_spite_of_failures`, and 403 for people who may not manage resources.",
    admit: ({ scope, ids }) => requireTaskVoter(scope, ids.taskId),
    run: ({ scope, ids, body }) => confirmTask(scope, ids.taskId, body),
  }),
  operation({
    ...vote,
    id: "rejectTask",
    path: "/project/{projectId}/tasks/{taskId}/reject",
    summary: "Reject a task",
    details: "The task must be waiting for approval, and ends as stopped. The people who may " +
      "approve it may reject it.",
    admit: ({ scope, ids }) => requireTaskVoter(scope, ids.taskId),
    run: ({ scope, ids, body }) => rejectTask(scope, ids.taskId, body),
  }),
  operation({
    ...command,
    id: "stopTask",
    path: "/project/{projectId}/tasks/{taskId}/stop",
    summary: "Stop a task",
    details: "With `force`, its processes are killed immediately. A failed task is no longer " +
      "repeated automatically. People who may run tasks stop their own. Other tasks need " +
      "`stop_all_tasks`.",
    access: "member",
    scopes: ["run"],
    body: stopTaskForm,
    emptyBody: null,
    errors: [403],
    admit: ({ scope, ids }) => requireTaskStopper(scope, ids.taskId),
    run: ({ scope, ids, body }) => stopTask(scope, ids.taskId, body.force),
  }),
  operation({
    ...command,
    id: "stopAllTemplateTasks",
    path: "/project/{projectId}/templates/{templateId}/stop_all_tasks",
    summary: "Stop all open tasks of a template",
    access: "stop_all_tasks",
    body: withExample(stopTaskForm, { force: true }),
    emptyBody: null,
    run: ({ scope, ids, body }) => stopTemplateTasks(scope, ids.templateId, body.force),
  }),
];
