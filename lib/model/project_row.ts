import type { HeldProject } from "../store/guard_project.ts";

/** A key that signs those of hosts whose names match the patterns. */
export interface HostAuthorityRow {
  id: number;
  hosts: string;
  public_key: string;
}

/**
 * Stored row of a project. With `deleting` its rows are being deleted, and it accepts no new ones.
 */
export interface ProjectRow extends HeldProject {
  id: number;
  name: string;
  created: string;
  alert: boolean;
  alert_chat: string | null;
  max_parallel_tasks: number;
  type: string;
  /** How much history the project keeps; 0 means as much as the server keeps. */
  retention?: { max_tasks_per_template: number; max_age_days: number } | null;
  /** Whether tasks run on runners only, also those that need no label. */
  only_runners?: boolean | null;
  host_authorities?: HostAuthorityRow[];
  /** The toolchain of its tasks whose template and inventory have none. */
  toolchain_id?: number | null;
}

export interface MemberRow {
  project_id: number;
  user_id: number;
  /** Slug of a fixed role, or of one that the project or the server defines. */
  role: string;
}
