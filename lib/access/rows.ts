import type { Role } from "./permissions.ts";

/** What is stored of a project. `deleting` marks one whose rows are being swept: it takes no new ones. */
export interface ProjectRow {
  id: number;
  name: string;
  created: string;
  alert: boolean;
  alert_chat: string | null;
  max_parallel_tasks: number;
  type: string;
  /** How much of the past it keeps; 0 for all that the server keeps. */
  retention?: { max_tasks_per_template: number; max_age_days: number } | null;
  deleting?: boolean;
}

/** What is stored for a member of a project. */
export interface MemberRow {
  project_id: number;
  user_id: number;
  role: Role;
}
