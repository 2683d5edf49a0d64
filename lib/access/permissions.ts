import type { Noun } from "../base/nouns.ts";
import type { Config } from "../base/settings/config.ts";
import { type Role, ROLES } from "../model/roles.ts";
import type { Actor } from "./actor.ts";

/**
 * Permissions of a member in a project, as bits. The first four are those that clients know: see
 * `maskForClients`. The others are ours.
 */
export const PERMISSIONS = {
  run_tasks: 1,
  update_project: 2,
  manage_resources: 4,
  manage_users: 8,
  /** Without it, a person sees no tasks but their own. */
  see_all_tasks: 16,
  read_output: 32,
  override_runs: 64,
  approve_tasks: 128,
  stop_all_tasks: 256,
  manage_triggers: 512,
  manage_keys: 1024,
  manage_runners: 2048,
  add_people: 4096,
} as const;
export type Permission = keyof typeof PERMISSIONS;
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/** Whether a mask contains a permission. */
export const grants = (mask: number, permission: Permission): boolean =>
  (mask & PERMISSIONS[permission]) !== 0;

const READS: readonly Permission[] = ["see_all_tasks", "read_output"];
const RUNS: readonly Permission[] = [
  ...READS,
  "run_tasks",
  "override_runs",
  "approve_tasks",
  "stop_all_tasks",
];
const GRANTS: Record<Role, readonly Permission[]> = {
  owner: PERMISSION_NAMES,
  manager: [...RUNS, "manage_resources", "manage_triggers", "manage_keys", "manage_runners"],
  task_runner: RUNS,
  guest: READS,
};

/** Returns permissions as a mask. People who manage all members may also add some. */
export function maskOf(permissions: readonly Permission[]): number {
  const mask = permissions.reduce((mask, permission) => mask | PERMISSIONS[permission], 0);
  return grants(mask, "manage_users") ? mask | PERMISSIONS.add_people : mask;
}

/** The permission to change each kind of resource. */
export const RESOURCE_PERMISSIONS = {
  keys: "manage_keys",
  secret_storages: "manage_keys",
  git_credentials: "manage_keys",
  repositories: "manage_resources",
  inventories: "manage_resources",
  environments: "manage_resources",
  toolchains: "manage_resources",
} as const satisfies Record<Noun, Permission>;
export type NounPermission = (typeof RESOURCE_PERMISSIONS)[Noun];
/** The permissions to change resources, and what is stored in the same way. */
export type ResourcePermission = NounPermission | "manage_triggers";

export const ALL_PERMISSIONS = maskOf(PERMISSION_NAMES);

/**
 * The permissions to run tasks in all ways and to change nothing else. Schedules, integrations and
 * the server have them, too.
 */
export const RUN_PERMISSIONS = maskOf(RUNS);

/** Returns the mask of a role's permissions. */
export const permissionsOf = (role: Role): number => maskOf(GRANTS[role]);

/** Returns the names of the permissions in a mask. */
export const namesIn = (mask: number): Permission[] =>
  PERMISSION_NAMES.filter((permission) => grants(mask, permission));

/** Whether a mask has every permission of another one. */
export const covers = (mask: number, other: number): boolean => (other & ~mask) === 0;

/** The bits of the permissions that clients know. */
const KNOWN_BITS = PERMISSIONS.run_tasks | PERMISSIONS.update_project |
  PERMISSIONS.manage_resources | PERMISSIONS.manage_users;

/**
 * Returns the mask that clients are told: that of the largest fixed role whose permissions are all
 * in `mask`. A client that knows only those roles never offers more than is allowed.
 */
export function maskForClients(mask: number): number {
  const contained = ROLES.map(permissionsOf).find((fixed) => covers(mask, fixed));
  return (contained ?? 0) & KNOWN_BITS;
}

/** Whether `actor` may create projects. Admins may, and so may everyone if the server allows it. */
export const mayCreateProjects = (
  { usersCreateProjects }: Pick<Config, "usersCreateProjects">,
  actor: Actor,
): boolean => actor.kind === "user" && (actor.admin || usersCreateProjects);
