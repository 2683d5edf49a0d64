import type { Sentence } from "../base/errors.ts";
import type { RecordedPerson } from "../base/person.ts";
import type { KeptPlan } from "../execution/run/plan.ts";
import type { UsedRequirements } from "../execution/run/used_requirements.ts";
import type { TaskApproval } from "./approval_rule.ts";
import type { Status } from "./status.ts";
import type { ListedKey, TemplateType, Vault } from "./template_row.ts";

/** Kind of trigger that starts tasks automatically. */
export type InitiatorKind = "schedule" | "integration" | "autorun" | "workflow" | "drift";

/** The place of a task in the run of a workflow. */
export interface TaskWorkflow {
  workflow_id: number;
  run_id: number;
  step_id: number;
  /** The account that started the run, or the outermost of nested runs; null for none. */
  starter_id: number | null;
}

/** The position of a task among its automatic attempts. */
export interface TaskAttempt {
  /** Number of this attempt, from 1. */
  n: number;
  /** Number of attempts that the task may have. */
  of: number;
  /** Minutes between the end of an attempt and the next one. */
  minutes: number;
  /** Whether the starter could manage the project. Further attempts are checked alike. */
  manages: boolean;
  /** The task of the first attempt; missing in that task. */
  first_id?: number;
  /** Time of the next attempt, while one is due. */
  next_at?: string;
  /** The task of the next attempt, once it was started. */
  next_id?: number;
  /** Reason why a failed attempt is the last one, although it may have more. */
  ended?: Sentence;
}

/** Preview state of a task whose template previews first. */
export interface PreviewState {
  /** Whether the task ends automatically when nothing would change. */
  ends_unchanged: boolean;
  /** Time when the preview was complete; null until then. */
  made: string | null;
  /** Whether the task ended with its preview because nothing would change. */
  unchanged?: boolean;
  /** Number of hosts in the preview, and how many of them would change. */
  hosts?: number;
  changed_hosts?: number;
  /** Number of Ansible tasks that the preview executed because of `check_mode: false`. */
  carried_out?: number;
  /**
   * Number of hosts on which it failed; missing for none. Then only people who manage resources
   * confirm it, and nothing does so automatically.
   */
  failed_hosts?: number;
  /** Names of the people who confirmed it. */
  confirmed_by?: string;
  /** These people; missing for none. */
  confirmers?: RecordedPerson[];
  /**
   * Number of hosts that changed but were not predicted to, and of hosts predicted to change that
   * did not.
   */
  unpredicted?: number;
  absent?: number;
}

/** A password that a template can ask for at the start of each task. */
export type AskedPassword = "ssh" | "become" | "vault";

/** Members of a task that uses a key or passwords of its starter. */
export interface PersonalPart {
  own_key_id?: number;
  asked_passwords?: AskedPassword[];
}

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
 * `causeOf` says why a task exists.
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
  template_type: TemplateType;
  template_app: string;
  playbook: string;
  /** Folder of the repository in which it starts; missing for the root. */
  working_directory?: string;
  repository_id: number;
  inventory_id: number;
  environment_id: number | null;
  /** The environments after the first. */
  more_environment_ids: number[];
  vaults: (Vault & { vault_key_id: number })[];
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

  /**
   * JSON object text of the answers without the secret ones; empty if stored outside of the row.
   */
  environment: string;
  /** Bytes of answers that are stored outside of the row: see answer_store.ts. */
  long_answers?: number;
  has_secrets: boolean;
  secret_names: string[];
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
  given: Given;
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
  attempt?: TaskAttempt;

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
  /** Missing in tasks that need no confirmation. */
  approval?: TaskApproval;
  /** Before the start, the requirements of another task to use; afterwards those that it used. */
  requirements?: UsedRequirements;
  /** Commit of the inventory's repository, if that is not the playbook's repository. */
  inventory_commit?: string;

  /** Requested stop. The running task notices it by watching this row. */
  stop: "" | "stop" | "force";
  /** Reason of the end. From the request of a stop on, it is that of the stop. */
  end_reason: Sentence | null;
  /** Line of the output that reports the reason. */
  failure_line?: number;
  /** Set if the output has reached the limit for a task. */
  output_cut?: true;
  /**
   * Times of the events that follow from its start, in milliseconds after `created`. No index has
   * these events, and the deletion of the task finds them so. Missing for an imported task.
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
