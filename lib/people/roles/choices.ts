import {
  covers,
  maskOf,
  namesIn,
  type Permission,
  permissionsOf,
} from "../../access/permissions.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { ROLES } from "../../model/roles.ts";
import { listAllRoles } from "./service.ts";

/** A role that members of a project can have. */
export interface RoleChoice {
  slug: string;
  /** Missing for a fixed role, which each language names. */
  name?: string;
  granted: Permission[];
  /** Whether the reader may do as much, and so may give it and take it. */
  mayGive: boolean;
}

/** Returns the fixed roles, and those that the project and the server define. */
export async function listRoleChoices(scope: ProjectScope): Promise<RoleChoice[]> {
  const mayGive = (granted: readonly Permission[]) => covers(scope.permissions, maskOf(granted));
  const fixed = ROLES.map((slug) => ({ slug, granted: namesIn(permissionsOf(slug)) }));
  const custom = (await listAllRoles(scope)).map(({ slug, name, granted }) => ({
    ...{ slug, name, granted },
  }));
  return [...fixed, ...custom].map((role) => ({ ...role, mayGive: mayGive(role.granted) }));
}
