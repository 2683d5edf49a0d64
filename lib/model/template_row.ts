import type { AccessRule } from "./access_rule.ts";
import type { ApprovalRule } from "./approval_rule.ts";

/** Builds produce versions, which deploys roll out. */
export type TemplateType = "" | "build" | "deploy";

/** One of the keys that runs offer to hosts. */
export interface ListedKey {
  id: number;
  /** Patterns for names of hosts and groups. Missing if the key is for all hosts. */
  hosts?: string[];
}

/** A vault password of a template. Without a key it is only a name. */
export interface Vault {
  vault_key_id: number | null;
  /** Ansible's label of the vault id; null for "default". */
  name: string | null;
}

/** Hosts and tags that checks may fix without a person. */
export interface AutoFix {
  hosts: string[];
  tags: string[];
}

/** Settings of templates that ask for it. */
export interface Asking {
  own_key: boolean;
  ask_ssh_password: boolean;
  ask_become_password: boolean;
  ask_vault_password: boolean;
}
/** A stored template without its long texts, which may be outside of the row. */
export interface TemplateHead extends Asking, AccessRule {
  id: number;
  project_id: number;
  name: string;
  playbook: string;
  type: TemplateType;
  app: "ansible" | "";
  /** Null only after restoring a backup without an inventory. */
  inventory_id: number | null;
  repository_id: number;
  environment_id: number | null;
  /** The environments after the first. */
  more_environment_ids: number[];
  vaults: Vault[];
  ssh_keys?: ListedKey[];
  view_id: number | null;
  start_version: string | null;
  build_template_id: number | null;
  autorun: boolean;
  allow_override_args_in_task: boolean;
  suppress_success_alerts: boolean;
  require_confirmation: boolean;
  allow_parallel_tasks: boolean;
  git_branch: string | null;
  working_directory: string | null;
  keep_paths: string | null;
  start_warning: string | null;
  allow_override_branch_in_task: boolean;
  suppress_error_alerts: boolean;
  muted: boolean;
  suppress_full_results: boolean;
  preview_first: boolean;
  preview_end_unchanged: boolean;
  approval: ApprovalRule | null;
  retry_attempts: number;
  retry_minutes: number;
  check_cron: string | null;
  check_after_commit: boolean;
  task_identity: boolean;
  task_identity_audience: string;
  auto_fix: AutoFix | null;
  toolchain_id: number | null;
  runner_labels?: string[];
  empty_runner_tag?: boolean;
  /** The last account that changed it; null for none. */
  changed_by?: number | null;
}
