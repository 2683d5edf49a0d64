import { grants, type Permission } from "../access/permissions.ts";
import { forbidden } from "../base/errors.ts";
import type { ProjectView } from "../maintenance/projects/schema.ts";

/** The project of a page and the data around it, loaded once per request. */
export interface Shell {
  project: ProjectView;
  /** Empty for an admin who is not a member. */
  role: string;
  /** Name of a role that is not fixed. */
  roleName?: string;
  permissions: number;
  /** Projects in the project menu. */
  projects: ProjectView[];
  /** View of the templates that the menu leads to; null for all templates. */
  viewId: number | null;
  failingSchedules: number;
  /** Version of the list of tasks that the page shows. The page may show a later one. */
  since: string;
}

/**
 * Whether to show elements that require a permission. The services check it; this only hides
 * buttons.
 */
export const may = ({ permissions }: { permissions: number }, permission: Permission): boolean =>
  grants(permissions, permission);

/** Throws 403 for pages whose form the viewer could not submit anyway. */
export function requirePermission(shell: Shell, permission: Permission): void {
  if (!may(shell, permission)) throw forbidden();
}

/** Name of the cookie and the form field that turn off single-key shortcuts. */
export const SHORTCUTS_CHOICE = "shortcuts";

/** Name of the cookie with the groups of sections that this browser folds. */
export const FOLDED_COOKIE = "folded";
