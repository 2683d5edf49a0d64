import * as z from "zod";
import type { InitiatorKind } from "../model/task_row.ts";
import { approvalPersonSchema, approvalRuleSchema, voteSchema } from "../approvals/schema.ts";
import type { Sentence } from "../base/errors.ts";
import {
  createdBetween,
  listBefore,
  listChoices,
  listSize,
  queryNumber,
  starterOfTasks,
} from "../base/lists/list_query.ts";
import { reasonSchema } from "../base/reason.ts";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";
import { startTaskFields } from "../tasks/start_form.ts";
import { STATUSES } from "../model/status.ts";
import { RUN_STATUSES, type RunStatus, STEP_STATES, type StepState } from "./step_state.ts";

/** Maximum number of runs in one answer. */
const RUNS_MAX = 100;

/** Request to start a workflow. */
export const startRunForm = startTaskFields.pick({
  message: true,
  environment: true,
  secret: true,
}).extend({
  /**
   * Version of the definition to follow: the latest, or an earlier one that a run has followed,
   * for people who may manage resources. A text is ignored, because other clients mean the version
   * of a build.
   */
  version: z.union(
    [z.string().transform(() => null), z.int("errors.integer").min(0, "errors.invalid")],
    "errors.integer",
  ).nullish().transform((value) => value || null),
}).meta({ example: { message: "Friday's release", environment: '{"version": "1.4.2"}' } });
export type StartRunForm = z.output<typeof startRunForm>;

/** Request to repeat a run. The secret answers are needed again, because they are deleted. */
export const runAgainForm = startTaskFields.pick({ secret: true }).extend({
  /**
   * Whether to follow the latest definition instead of the one of the repeated run. Without it, the
   * latest is followed only where the other one is refused.
   */
  latest: z.boolean().nullish().transform((value) => value ?? null),
}).meta({ example: { latest: false } });
export type RunAgainForm = z.output<typeof runAgainForm>;

export const runsQuery = z.object({
  ...listSize,
  before: listBefore,
}).transform(({ limit, count, before }) => ({
  limit: Math.min(limit ?? count ?? RUNS_MAX, RUNS_MAX),
  before,
}));

/** Query of a page of the runs of all workflows. */
export const projectRunsQuery = z.object({
  ...listSize,
  before: listBefore,
  status: listChoices(RUN_STATUSES, "errors.invalid"),
  workflow_id: queryNumber(),
  user_id: starterOfTasks,
  ...createdBetween,
}).transform(({ limit, count, before, status, workflow_id, user_id, from, to }) => ({
  limit: Math.min(limit ?? count ?? RUNS_MAX, RUNS_MAX),
  before,
  statuses: status,
  workflowId: workflow_id,
  starter: user_id,
  from: from && new Date(from).toISOString(),
  to: to && new Date(to).toISOString(),
}));

const nullableTime = z.iso.datetime().nullable();

/** The task because of which a run failed, with the line of its output that reports it. */
const failedTaskSchema = z.object({
  id: z.int(),
  template_id: z.int(),
  line: z.int().nullable(),
});
export type FailedTask = z.output<typeof failedTaskSchema>;

/** A run, as it is answered in lists. */
export const runSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  workflow_id: z.int(),
  /** The same, as other clients name it. */
  workflow_template_id: z.int(),
  workflow_name: z.string(),
  version: z.int(),
  status: z.enum(RUN_STATUSES),
  message: z.string(),
  created: z.iso.datetime(),
  start: z.iso.datetime(),
  end: nullableTime,
  user_id: z.int().nullable(),
  username: z.string().nullable(),
  user_name: z.string().nullable(),
  /** The trigger that started it; null for a person. For `autorun`, the id is that of the build. */
  initiator: z.object({
    kind: z.enum(["schedule", "integration", "autorun", "workflow", "drift"]),
    id: z.int().nullable(),
    name: z.string(),
  }).nullable(),
  /** The build that it was started for. */
  build: z.object({ task_id: z.int(), template_id: z.int(), version: z.string() }).nullable(),
  /** The first task of the run. */
  root_task_id: z.int().nullable(),
  /** The run and step that started this run; null for none. */
  parent: z.object({ workflow_id: z.int(), run_id: z.int(), step_id: z.int() }).nullable(),
  /** The run that this one repeats from its failed step. */
  again_of: z.int().nullable(),
  /** Requested stop. */
  stop: z.enum(["", "stop", "force"]),
  /** Reason of the end as a sentence; empty for a success. */
  end_reason: sentenceOrTextSchema,
  /**
   * The same reason in its parts. For a run that waits for approval or stops, the reason of that
   * status. Null for a success, and while it runs.
   */
  reason: reasonSchema.nullable(),
  /** The task that explains why it failed; null if there is none, or after it is deleted. */
  failed_task: failedTaskSchema.nullable(),
  /** States of the steps in their order. */
  states: z.array(z.enum(STEP_STATES)),
});
/** A run as the API returns it in lists. */
export type RunView = z.output<typeof runSchema>;

/** A step of a run, as it is answered. */
export const runStepSchema = z.object({
  id: z.int(),
  name: sentenceOrTextSchema,
  kind: z.enum(["template", "approval", "wait", "workflow"]),
  after: z.array(z.object({
    step: z.int(),
    when: z.enum(["success", "failure", "always", "changed"]),
  })),
  join: z.enum(["all", "any"]),
  /** Set if the caller may not see its template or workflow. Its other members are then empty. */
  hidden: z.boolean().optional(),
  state: z.enum(STEP_STATES),
  template_id: z.int().nullable(),
  task_id: z.int().nullable(),
  /** Status of its task; null before it is started, and after the task is deleted. */
  task_status: z.enum(STATUSES).nullable(),
  /** The nested workflow, and its run. */
  workflow_id: z.int().nullable(),
  run_id: z.int().nullable(),
  run_status: z.enum(RUN_STATUSES).nullable(),
  start: nullableTime,
  end: nullableTime,
  /** Time at which it continues automatically. */
  until: nullableTime,
  /** Whether it changed a host; null if that is not known. */
  changed: z.boolean().nullable(),
  /** Whether it is kept from the run that this one repeats. */
  kept: z.boolean(),
  /** Reason why it failed or was skipped, as a sentence. */
  reason: sentenceOrTextSchema,
  /** The task that explains why it failed: its own, or one of its nested run. */
  failed_task: failedTaskSchema.nullable(),
  approval: z.object({
    message: z.string(),
    needed: z.int(),
    approved: z.int(),
    /** The rule that the step has, and the people that it names. */
    rule: approvalRuleSchema,
    people: z.array(approvalPersonSchema),
    votes: z.array(voteSchema),
    /** Reason why it is asked for again, as a sentence; empty at first. */
    asked_again: sentenceOrTextSchema,
    /** Whether the reader may vote now. */
    may_vote: z.boolean(),
    /** Reason why the reader may not, as a sentence. */
    refusal: sentenceOrTextSchema,
  }).nullable(),
});
export type RunStepView = z.output<typeof runStepSchema>;

/** One run with its steps. */
export const wholeRunSchema = runSchema.extend({
  /** JSON text of the answers without the secret ones. */
  environment: z.string(),
  steps: z.array(runStepSchema),
}).meta({ name: "WorkflowRunDetails" });
export type WholeRunView = z.output<typeof wholeRunSchema>;

/** An approval of a run, as other clients know it. */
export const runApprovalSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  workflow_run_id: z.int(),
  workflow_node_id: z.int(),
  status: z.enum(["pending", "approved", "rejected"]),
  created: z.iso.datetime(),
  resolved: nullableTime,
  resolved_by_user_id: z.int().nullable(),
  message: z.string(),
  needed: z.int(),
  votes: z.array(voteSchema),
  /** Reason why it is asked for again, as a sentence; empty at first. */
  asked_again: sentenceOrTextSchema,
}).meta({ name: "WorkflowRunApproval" });
export type RunApproval = z.output<typeof runApprovalSchema>;

export const stopRunForm = z.object({
  force: z.boolean().nullish().transform((value) => value ?? false),
}).nullish().transform((form) => form ?? { force: false }).meta({ example: { force: false } });

/** A step of a stored run. */
export interface RunStep {
  state: StepState;
  task_id?: number;
  /** The nested run. */
  run_id?: number;
  start?: string;
  end?: string;
  /** Time to continue: after a wait, a time limit, or an attempt to start that failed. */
  until?: string;
  /** Attempts to start that failed. */
  attempts?: number;
  changed?: boolean;
  /** Failed steps because of which it started. It handles them if it succeeds. */
  handles?: number[];
  reason?: Sentence;
  /** The nested run that its own one repeats. */
  repeats?: number;
  /** Kept from the repeated run. */
  kept?: true;
  /** Reason why an approval is asked for again. */
  again?: Sentence;
  /** Approvals that are asked for again, without which the step does not start. */
  needs?: number[];
  /** Number of approvals, and whether someone has rejected it. */
  approved?: number;
  rejected?: boolean;
  /** Whether its time limit decided it. */
  timed_out?: true;
  /** The stop that was passed on to its task or nested run. */
  stop?: "stop" | "force";
}

/** The person or trigger on whose behalf a run goes on. */
export interface RunStarter {
  user_id: number | null;
  username: string | null;
  user_name: string | null;
  /** Whether a person sent it with an API token. */
  by_token?: boolean;
  /** Starter, if it was not a person. The id of an automatic start is that of the build. */
  started_by?: { kind: InitiatorKind; id: number; name: string };
}

/** A stored run. */
export interface RunRow extends RunStarter {
  id: number;
  project_id: number;
  workflow_id: number;
  workflow_name: string;
  version: number;
  status: RunStatus;
  message: string;
  created: string;
  end: string | null;
  /** JSON text of the answers without the secret ones. */
  environment: string;
  has_secrets: boolean;
  steps: Record<string, RunStep>;
  parent?: { workflow_id: number; run_id: number; step_id: number };
  /** The workflows that lead to this one through nesting, the outermost first, and this one. */
  path: number[];
  /** The build that it was started for, and the workflows that led to that build. */
  build?: { task_id: number; template_id: number; version: string; path: number[] };
  again_of?: number;
  stop: "" | "stop" | "force";
  stopped_by?: { id: number | null; username: string | null };
  /** Reason of the end. From the request of a stop on, it is that of the stop. */
  end_reason: Sentence | null;
  failed_task?: FailedTask;
}
