import { z } from "zod";
import type { StarterKind } from "../access/actor.ts";
import { toldSchema } from "../base/told.ts";
import type { Sentence } from "../base/errors.ts";
import { previewSchema, type PreviewState } from "./preview_state.ts";
import { type Status, STATUSES } from "./status.ts";

const nullableTime = z.iso.datetime().nullable();

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
  user_name: z.string().nullable(),
  schedule_id: z.int().nullable(),
  integration_id: z.int().nullable(),
  tpl_alias: z.string(),
  tpl_type: z.enum(["", "build", "deploy"]),
  tpl_playbook: z.string(),
  tpl_app: z.string(),
  // What it was given itself, so that it can be sent again; the rest was as the template says.
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
  params: z.object({
    limit: z.array(z.string()),
    tags: z.array(z.string()),
    skip_tags: z.array(z.string()),
    debug: z.boolean(),
    dry_run: z.boolean(),
    diff: z.boolean(),
  }),
  /** Of one that is previewed before it is carried out; null for others. */
  preview: previewSchema.nullable(),
  /** Why it ended as it did, in a sentence; empty for a success. */
  end_reason: toldSchema,
});

export const taskSchema = plainTask.extend({ build_task: plainTask.nullable() });
/** What the API answers. */
export type TaskView = z.output<typeof taskSchema>;
export type PlainTaskView = z.output<typeof plainTask>;

/** What a task was given instead of what its template says; null or empty where nothing was. */
export interface Given {
  inventory_id: number | null;
  git_branch: string | null;
  limit: string[];
  tags: string[];
  skip_tags: string[];
}

/**
 * What is stored: who asked for what, a copy of what the template then said, and how it went.
 * Members that may be missing are not in rows of earlier versions.
 */
export interface TaskRow {
  id: number;
  project_id: number;
  template_id: number;
  status: Status;
  message: string;
  created: string;
  start: string | null;
  end: string | null;
  user_id: number | null;
  /** Login and display name, kept so that history stays readable without the account. */
  username: string | null;
  user_name: string | null;
  schedule_id: number | null;
  integration_id: number | null;
  /** A person sent it with an API token. */
  by_token?: boolean;
  /** What started it, where no person did. */
  started_by?: { kind: StarterKind; name: string };

  template_name: string;
  template_type: "" | "build" | "deploy";
  template_app?: string;
  playbook: string;
  repository_id: number;
  inventory_id: number;
  environment_id: number | null;
  /** The environments after the first. */
  more_environment_ids?: number[];
  vaults: { vault_key_id: number; name: string | null }[];
  template_arguments: string | null;
  skip_galaxy_install: boolean;
  /** Survey variables that go to the process's environment instead of extra vars. */
  environment_targets: string[];
  suppress_success_alerts: boolean;
  suppress_full_results?: boolean;

  /** JSON object text of the answers, without the secret ones; empty where it is stored beside. */
  environment: string;
  /** Bytes of answers that are stored beside the row: see answer_store.ts. */
  long_answers?: number;
  has_secrets: boolean;
  secret_names?: string[];
  arguments: string | null;
  /** Somebody who may only run tasks sent them, so they are read as such. */
  arguments_checked?: boolean;
  limit: string[];
  tags: string[];
  skip_tags: string[];
  git_branch: string | null;
  /** Which of these it was given; the others are the template's. */
  given?: Given;
  debug: boolean;
  dry_run: boolean;
  diff: boolean;

  /** The version that a build makes; null for others. */
  version: string | null;
  build_task_id: number | null;
  /** The version that a deploy brings out. */
  incoming_version: string | null;
  /** Wanted at the start for deploys and commit schedules; what was checked out afterwards. */
  commit_hash: string | null;
  /** Whoever started it chose the commit: it must be one of the branch. */
  commit_asked?: boolean;
  commit_message: string | null;

  preview?: PreviewState;
  /** What the repository of its inventory was at, where that is another than the playbook's. */
  inventory_commit?: string;

  /** What a stop asked for; the run hears of it by watching this row. */
  stop: "" | "stop" | "force";
  end_reason: Sentence | null;
  ansible_version?: string; // "ansible-playbook [core 2.19.14]"
  /** Tasks of plays that Ansible announced until the end: what a later run is measured by. */
  play_tasks?: number;
}
