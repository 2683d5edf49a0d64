import * as z from "zod";
import { usedRequirement } from "../execution/run/used_requirements.ts";
import { reasonSchema } from "../base/reason.ts";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";
import { taskApprovalSchema } from "./approval.ts";
import {
  createdBetween,
  listBefore,
  listChoices,
  listSize,
  queryNumber,
  starterOfTasks,
  templateOfTasks,
} from "../base/lists/list_query.ts";
import { TRIGGERS } from "./trigger.ts";
import { previewSchema } from "./preview_state.ts";
import { STATUSES } from "../model/status.ts";

const nullableTime = z.iso.datetime().nullable();

/** A value that a task has reported, for people and later steps. It is text, never a template. */
export const taskOutputSchema = z.object({ name: z.string(), value: z.string() }).meta({
  name: "TaskOutput",
});
export type TaskOutputValue = z.output<typeof taskOutputSchema>;

const plainTask = z.object({
  id: z.int(),
  project_id: z.int(),
  template_id: z.int(),
  status: z.enum(STATUSES),
  message: z.string(),
  created: z.iso.datetime(),
  start: nullableTime,
  end: nullableTime,
  user_id: z.int().nullable(),
  username: z.string().nullable(),
  user_name: z.string().nullable(),
  schedule_id: z.int().nullable(),
  integration_id: z.int().nullable(),
  tpl_alias: z.string(),
  tpl_type: z.enum(["", "build", "deploy"]),
  tpl_playbook: z.string(),
  tpl_app: z.string(),
  // The task's own values, so that it can be sent again. The template set the rest.
  playbook: z.string(),
  inventory_id: z.int().nullable(),
  environment: z.string(),
  secret: z.string(),
  arguments: z.string().nullable(),
  limit: z.string(),
  git_branch: z.string().nullable(),
  version: z.string().nullable(),
  build_task_id: z.int().nullable(),
  commit_hash: z.string().nullable(),
  commit_message: z.string(),
  debug: z.boolean(),
  dry_run: z.boolean(),
  diff: z.boolean(),
  /** Whether it checks the drift of hosts. */
  check: z.boolean(),
  params: z.object({
    limit: z.array(z.string()),
    tags: z.array(z.string()),
    skip_tags: z.array(z.string()),
    debug: z.boolean(),
    dry_run: z.boolean(),
    diff: z.boolean(),
    /** Null for as in the template. */
    skip_galaxy_install: z.boolean().nullable(),
  }),
  /** Roles and collections that its requirement files have brought. */
  requirements: z.array(usedRequirement.omit({ dependency: true })),
  /** Preview state, if the template previews first; otherwise null. */
  preview: previewSchema.nullable(),
  /** The approval that it needs before it runs; null for none. */
  approval: taskApprovalSchema.nullable(),
  /** Reason of the end as a sentence; empty for a success. */
  end_reason: sentenceOrTextSchema,
  /** Line of the output that reports the reason, if the first failure of the run is the reason. */
  failure_line: z.int().nullable(),
  /**
   * The same reason in its parts. For a task that waits or stops, the reason of that status. Null
   * for a success, while it runs, and in the answer to its start, which reads no queue.
   */
  reason: reasonSchema.nullable(),
  /** Whether the output was longer than a task's may be. The rest was not stored. */
  output_cut: z.boolean(),
  /** Task that this one repeats on some of its hosts; null for others. */
  retry_of: z.int().nullable(),
  /** The part that is repeated. */
  retry: z.object({
    /** Number of hosts that it is limited to, and of those of the repeated task. */
    hosts: z.int(),
    of: z.int(),
    /** The Ansible task that it starts at; null to start with the first one. */
    start_at_task: z.string().nullable(),
  }).nullable(),
  /** Number of the automatic attempt, and of all that there may be; null without a next one. */
  attempt: z.int().nullable(),
  attempts: z.int().nullable(),
  /** Time of the next attempt, while one is due. */
  next_retry: nullableTime,
  /** Task of the next attempt, once it was started. */
  next_attempt_id: z.int().nullable(),
  /** Whether it uses an SSH key of its starter. */
  own_key: z.boolean(),
  /** Runner that runs the task, or ran it; null for the server itself. */
  runner_id: z.int().nullable(),
  /** Its name when it claimed the task. */
  runner_name: z.string().nullable(),
  /** First line of the version of its Ansible; null before it starts. */
  ansible_version: z.string().nullable(),
  /** Run of the workflow that started it; null for none. */
  workflow_run_id: z.int().nullable(),
  /** That workflow, and the number of the step. */
  workflow_id: z.int().nullable(),
  workflow_step_id: z.int().nullable(),
});

export const taskSchema = plainTask.extend({
  build_task: plainTask.meta({ name: "BuildTask" }).nullable(),
});
/** Task in API responses. */
export type TaskView = z.output<typeof taskSchema>;
export type PlainTaskView = z.output<typeof plainTask>;

/** Reason why a task waits. */
export const waitSchema = z.object({
  waits: z.boolean(),
  /** Kind of the reason; null for a task that does not wait, or that starts at this moment. */
  by: z.enum(["maintenance", "template", "kept", "project", "server", "runner"]).nullable(),
  /** The reason as a sentence; empty for a task that does not wait. */
  reason: sentenceOrTextSchema,
});
export type TaskWait = z.output<typeof waitSchema>;

/** An unfinished task in the list of all projects' tasks, which admins see. */
export const queuedTaskSchema = z.object({
  task_id: z.int(),
  project_id: z.int(),
  project_name: z.string(),
  template_id: z.int(),
  template_name: z.string(),
  /** Login of the person who started it; empty for schedules and webhooks. */
  username: z.string(),
  status: z.enum(STATUSES),
  /** Why it waits or stops; null while it runs. */
  reason: reasonSchema.nullable(),
  location: z.enum(["queue", "running"]),
}).meta({ name: "QueuedTask" });
/** Queued task in API responses. */
export type QueuedTask = z.output<typeof queuedTaskSchema>;

const id = queryNumber();

/**
 * Query of a page of the history: newest first, at most `limit` (or `count`) tasks with an id below
 * `before`.
 */
export const taskListQuery = z.object({
  ...listSize,
  before: listBefore,
  status: listChoices(STATUSES, "errors.invalid"),
  template_id: templateOfTasks,
  user_id: starterOfTasks,
  runner_id: id,
  workflow_id: id,
  trigger: listChoices(TRIGGERS, "errors.invalid"),
  ...createdBetween,
});
