import { operation } from "../../access/operation.ts";
import { fixDriftForm } from "./schema.ts";
import { taskSchema } from "../../tasks/schema.ts";
import { startFix } from "./fix.ts";
import { startCheck } from "./start.ts";

export const checkOperations = [
  operation({
    id: "fixDrift",
    method: "POST",
    path: "/project/{projectId}/templates/{templateId}/fix",
    tag: "Drift",
    summary: "Start a task that fixes hosts that differ",
    details:
      "It runs on exactly these hosts, at the commit of the latest check, after a preview that " +
      "someone approves.",
    access: "run_tasks",
    body: fixDriftForm,
    emptyBody: {},
    answer: taskSchema,
    errors: [409],
    run: ({ scope, ids, body }) => startFix(scope, ids.templateId, body),
  }),
  operation({
    id: "checkTemplate",
    method: "POST",
    path: "/project/{projectId}/templates/{templateId}/check",
    tag: "Drift",
    summary: "Check the hosts of a template for drift",
    details:
      "Starts a dry run, which does not count as a run of the template. Waiting tasks that may " +
      "start come first.",
    access: "run_tasks",
    answer: taskSchema,
    errors: [409],
    run: ({ scope, ids }) => startCheck(scope, ids.templateId),
  }),
];
