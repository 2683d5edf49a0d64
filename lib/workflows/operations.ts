import { resourceOperations } from "../resources/common/operations.ts";
import { workflowForm, workflowSchema } from "./schema.ts";
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  updateWorkflow,
  workflowReferences,
} from "./service.ts";

export const workflowOperations = resourceOperations({
  names: ["Workflow", "Workflows"],
  nouns: ["a workflow", "workflows of a project"],
  path: "workflows",
  param: "workflowId",
  tag: "Workflows",
  body: workflowForm,
  change: workflowForm,
  answer: workflowSchema,
  permission: "manage_resources",
  service: () => ({
    list: listWorkflows,
    create: createWorkflow,
    get: getWorkflow,
    update: updateWorkflow,
    delete: deleteWorkflow,
    references: workflowReferences,
  }),
  details: {
    list: "Each with its latest run.",
    create: "Send `steps`, or `nodes` and `edges` as clients of Semaphore do. If both are sent, " +
      "`steps` applies. A new step has no id, or one below 0 that other steps may name.",
    update: "Open runs keep the definition that they started with.",
    delete: "Its runs are deleted, too. Their tasks are kept.",
  },
  errors: { create: [409], delete: [409] },
});
