import { grants, type Permission, type Role } from "../../access/permissions.ts";
import { forbidden } from "../../base/errors.ts";
import type { ProjectView } from "../../maintenance/projects/schema.ts";

/** The project that a page is about, and what surrounds it: loaded once a request. */
export interface Shell {
  project: ProjectView;
  /** Empty for an admin who is no member. */
  role: Role | "";
  permissions: number;
  /** All that the project menu lists. */
  projects: ProjectView[];
  /** The view of the templates that the menu leads to; null for all of them. */
  viewId: number | null;
  /** Which state of all tasks the page shows, or a later one. */
  since: string;
}

/** Whether to show what needs a permission. The services decide; this only hides buttons. */
export const may = ({ permissions }: { permissions: number }, permission: Permission): boolean =>
  grants(permissions, permission);

/** Throws 403 from pages whose form the viewer could not send anyway. */
export function requirePermission(shell: Shell, permission: Permission): void {
  if (!may(shell, permission)) throw forbidden();
}

/** The cookie, and the field of the form, that switch shortcuts of single keys off. */
export const SHORTCUTS_CHOICE = "shortcuts";
