import * as z from "zod";
import { PERMISSION_NAMES } from "../../access/permissions.ts";
import { RESERVED_SLUGS, roleSlugField } from "../../access/rules/role_slug.ts";
import { nameField } from "../../base/fields.ts";
import { isFixedRole } from "../../model/roles.ts";

/** The parts of a role that can be changed, as they are sent. */
const changeable = {
  name: nameField,
  /** A sum of bits, from clients that do not send names. */
  permissions: z.int("errors.invalid").min(0, "errors.invalid").max(15, "errors.invalid").nullish(),
  /** Names of permissions. They decide if they are sent. */
  granted: z.array(z.enum(PERMISSION_NAMES, "errors.unknown_type"))
    .max(PERMISSION_NAMES.length, "errors.too_long").nullish(),
};

const example = {
  name: "Deployers",
  granted: ["run_tasks", "read_output"],
} as const;

/** A new role. Without a slug it gets one made of its name. */
export const newRoleForm = z.object({
  slug: roleSlugField.refine(
    (slug) => !isFixedRole(slug) && !RESERVED_SLUGS.includes(slug),
    "errors.roles.reserved",
  ).nullish(),
  ...changeable,
}).meta({ name: "RoleDefinitionBody", example: { slug: "deployers", ...example } });
export type NewRoleForm = z.output<typeof newRoleForm>;

/** A change of a role, whose slug stays. */
export const roleForm = z.object(changeable).meta({ name: "RoleDefinitionChange", example });
export type RoleForm = z.output<typeof roleForm>;

export const roleSchema = z.object({
  slug: z.string(),
  name: z.string(),
  permissions: z.int(),
  /** Null for a role of the server. */
  project_id: z.int().nullable(),
  granted: z.array(z.enum(PERMISSION_NAMES)),
}).meta({ name: "RoleDefinition" });
/** A role that a project or the server defines. */
export type RoleView = z.output<typeof roleSchema>;
