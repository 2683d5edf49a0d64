import { isFixedRole } from "../../model/roles.ts";
import type { Store } from "../../store/store.ts";
import { findRole } from "../roles.ts";

/** Whether members of a project can have a role. */
export const isRoleOf = async (kv: Store, projectId: number, slug: string): Promise<boolean> =>
  isFixedRole(slug) || await findRole(kv, projectId, slug) !== null;
