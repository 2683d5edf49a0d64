import { z } from "zod";
import { type Role, ROLES } from "../access/permissions.ts";

export const roleSchema = z.enum(ROLES, "errors.unknown_role");

/** What is stored for a member of a project. */
export interface MemberRow {
  project_id: number;
  user_id: number;
  role: Role;
}
