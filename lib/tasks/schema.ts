import * as z from "zod";
import type { InitiatorKind } from "../access/actor.ts";
import { usedRequirement, type UsedRequirements } from "../execution/run/used_requirements.ts";
import type { KeptPlan } from "../execution/run/plan.ts";
import type { ListedKey } from "../resources/common/key_list.ts";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";
import type { Sentence } from "../base/errors.ts";
import { type TaskApproval, taskApprovalSchema } from "./approval.ts";
import type { StoryAttempt } from "./attempts.ts";
import type { PersonalPart } from "./personal.ts";
import { previewSchema, type PreviewState } from "./preview_state.ts";
import { type Status, STATUSES } from "./status.ts";
import type { TaskWorkflow } from "./task_workflow.ts";

const nullableTime = z.iso.datetime().nullable();

/** A value that a task has reported, for people and later steps. It is text, never a template. */
export const taskOutputSchema = z.object({ name: z.string(), value: z.string() });
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
  /** Set if that is a runner of Semaphore, which reports no results per host. */
  runner_wire: z.literal("semaphore").nullable(),
  /** First line of the version of its Ansible; null before it starts. */
  ansible_version: z.string().nullable(),
  /** Run of the workflow that started it; null for none. */
  workflow_run_id: z.int().nullable(),
  /** That workflow, and the number of the step. */
  workflow_id: z.int().nullable(),
  workflow_step_id: z.int().nullable(),
});

export const taskSchema = plainTask.extend({ build_task: plainTask.nullable() });
/** Task in API responses. */
export type TaskView = z.output<typeof taskSchema>;
export type PlainTaskView = z.output<typeof plainTask>;

/** Values that override the template's for one task; null or empty for the others. */
export interface Given {
  inventory_id: number | null;
  git_branch: string | null;
  limit: string[];
  tags: string[];
  skip_tags: string[];
  /** Missing for the template's. */
  skip_galaxy_install?: boolean;
}

/**
 * A stored task: who asked for it, a copy of the template's settings at that time, and the outcome.
 * Optional members are missing in rows of earlier versions. `causeOf` says why a task exists.
 */
export interface TaskRow extends PersonalPart {
  id: number;
  project_id: number;
  template_id: number;
  status: Status;
  message: string;
  created: string;
  start: string | null;
  end: string | null;
  user_id: number | null;
  /** Login and display name, stored so that history stays readable without the account. */
  username: string | null;
  user_name: string | null;
  schedule_id: number | null;
  integration_id: number | null;
  /** Whether a person sent it with an API token. */
  by_token?: boolean;
  /** Starter of the task, if it was not a person. */
  started_by?: { kind: InitiatorKind; name: string };
  /** The run of a workflow that started it. */
  workflow?: TaskWorkflow;

  template_name: string;
  template_type: "" | "build" | "deploy";
  template_app?: string;
  playbook: string;
  /** Folder of the repository in which it starts; missing for the root. */
  working_directory?: string;
  repository_id: number;
  inventory_id: number;
  environment_id: number | null;
  /** The environments after the first. */
  more_environment_ids?: number[];
  vaults: { vault_key_id: number; name: string | null }[];
  /** Keys of the template, which come before those of the inventory. */
  ssh_keys?: ListedKey[];
  /** Set if it had more than one key, or rules for keys, when it was created. */
  several_keys?: true;
  /** Paths that are kept between the runs of its template and of its inventory. */
  keeps?: KeptPlan[];
  template_arguments: string | null;
  skip_galaxy_install: boolean;
  /** Names of survey variables that go to the process's environment instead of extra vars. */
  environment_targets: string[];
  suppress_success_alerts: boolean;
  suppress_error_alerts?: boolean;
  suppress_full_results?: boolean;
  /** Receiver of its identity, empty for the server's address; missing if it gets none. */
  identity_audience?: string;
  /** Labels that the template and the inventory required at the start. One runner has them all. */
  runner_labels?: string[];
  /** The runner that claimed the task, and its name at that time. */
  runner_id?: number;
  runner_name?: string;
  /** Set if that is a runner of Semaphore, which reports output but no results. */
  runner_wire?: "semaphore";

  /**
   * JSON object text of the answers without the secret ones; empty if stored outside of the row.
   */
  environment: string;
  /** Bytes of answers that are stored outside of the row: see answer_store.ts. */
  long_answers?: number;
  has_secrets: boolean;
  secret_names?: string[];
  arguments: string | null;
  /** An empty list as it was sent, which is answered but means what null does. */
  no_arguments?: string;
  /** Whether a person who may only run tasks sent the arguments, which are then restricted. */
  arguments_checked?: boolean;
  limit: string[];
  tags: string[];
  skip_tags: string[];
  git_branch: string | null;
  /** Overrides of this task. Other values are the template's. */
  given?: Given;
  debug: boolean;
  dry_run: boolean;
  diff: boolean;
  /**
   * Set for a check of the drift of hosts. It is a dry run, and counts nowhere as a run of its
   * template or of its hosts.
   */
  check?: true;

  /** Set for an automatic fix of hosts that differ. The server confirms its preview. */
  auto_fix?: true;

  /**
   * The task that this one repeats on some of its hosts. Their names are stored outside of the row:
   * see host_store.ts.
   */
  retry_of?: { task_id: number; hosts: number; of: number; start_at?: string };

  /** Missing in tasks that are never repeated automatically. */
  attempt?: StoryAttempt;

  /** Version that a build produces; null for others. */
  version: string | null;
  build_task_id: number | null;
  /** Version that a deploy rolls out. */
  incoming_version: string | null;
  /**
   * Before the start, the requested commit of deploys and commit schedules; afterwards the commit
   * that was checked out.
   */
  commit_hash: string | null;
  /** Whether the starter chose the commit, which then must be one of the branch. */
  commit_asked?: boolean;
  commit_message: string | null;

  preview?: PreviewState;
  /** Missing in tasks that need no confirmation, and in those of earlier versions. */
  approval?: TaskApproval;
  /** Before the start, the requirements of another task to use; afterwards those that it used. */
  requirements?: UsedRequirements;
  /** Commit of the inventory's repository, if that is not the playbook's repository. */
  inventory_commit?: string;

  /** Requested stop. The running task notices it by watching this row. */
  stop: "" | "stop" | "force";
  end_reason: Sentence | null;
  /** Line of the output that reports the reason. */
  failure_line?: number;
  /** Set if the output has reached the limit for a task. */
  output_cut?: true;
  /**
   * Times of the events that follow from its start, in milliseconds after `created`. No index has
   * these events, and the deletion of the task finds them so.
   */
  steps?: number[];
  /** The toolchain of its start; missing for the Ansible of the machine. */
  toolchain_id?: number;
  ansible_version?: string; // "ansible-playbook [core 2.19.14]"
  /**
   * Number of Ansible tasks that were announced by the end. It measures the progress of a later
   * task.
   */
  play_tasks?: number;
}

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
  location: z.enum(["queue", "running"]),
});
/** Queued task in API responses. */
export type QueuedTask = z.output<typeof queuedTaskSchema>;
