import { driftKeys } from "./keys/drift.ts";
import { alertKeys } from "./keys/alerts.ts";
import { eventKeys } from "./keys/events.ts";
import { hostKeys } from "./keys/hosts.ts";
import { jobKeys } from "./keys/jobs.ts";
import { peopleKeys } from "./keys/people.ts";
import { projectKeys } from "./keys/projects.ts";
import { runnerKeys } from "./keys/runners.ts";
import { storeKeys } from "./keys/store.ts";
import { taskIdentityKeys } from "./keys/task_identity.ts";
import { taskKeys } from "./keys/tasks.ts";
import { triggerKeys } from "./keys/triggers.ts";
import { workflowKeys } from "./keys/workflows.ts";

export { type Ref, RESOURCE_KINDS, type ResourceKind } from "./keys/projects.ts";
export type { SignInSource } from "./keys/people.ts";

/**
 * The keys of all rows of the store. Only the files beside it, one for each area, build keys. Each
 * begins with the table of its rows.
 *
 * Rows are named by plural nouns. An index contains pointers, not copies. The project is the second
 * part of a key, so that one prefix finds all rows of a kind in one project.
 */
export const rowKeys = {
  ...storeKeys,
  ...jobKeys,
  ...peopleKeys,
  ...projectKeys,
  ...taskKeys,
  ...taskIdentityKeys,
  ...hostKeys,
  ...driftKeys,
  ...eventKeys,
  ...alertKeys,
  ...runnerKeys,
  ...triggerKeys,
  ...workflowKeys,
};
