import type { Config } from "../base/settings/config.ts";
import type { Role } from "../model/roles.ts";
import type { Actor } from "./actor.ts";

/** Permissions of a member in a project, as bits of the mask that the API answers. */
export const PERMISSIONS = {
  run_tasks: 1,
  update_project: 2,
  manage_resources: 4,
  manage_users: 8,
  /** Without it, a person sees no tasks but their own. */
  see_all_tasks: 16,
} as const;
export type Permission = keyof typeof PERMISSIONS;

const GRANTS: Record<Role, readonly Permission[]> = {
  owner: ["run_tasks", "update_project", "manage_resources", "manage_users", "see_all_tasks"],
  manager: ["run_tasks", "manage_resources", "see_all_tasks"],
  task_runner: ["run_tasks", "see_all_tasks"],
  guest: ["see_all_tasks"],
};

export const ALL_PERMISSIONS = Object.values(PERMISSIONS).reduce((mask, bit) => mask | bit, 0);

/** Bits of the mask that clients know. */
export const KNOWN_PERMISSIONS = 15;

/** Returns the bitmask of a role's permissions. */
export const permissionsOf = (role: Role): number =>
  GRANTS[role].reduce((mask, permission) => mask | PERMISSIONS[permission], 0);

/** Whether a bitmask contains a permission. */
export const grants = (mask: number, permission: Permission): boolean =>
  (mask & PERMISSIONS[permission]) !== 0;

/** Whether `actor` may create projects. Admins may, and so may everyone if the server allows it. */
export const mayCreateProjects = (
  { usersCreateProjects }: Pick<Config, "usersCreateProjects">,
  actor: Actor,
): boolean => actor.kind === "user" && (actor.admin || usersCreateProjects);
