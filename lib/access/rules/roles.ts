import { isFixedRole } from "../../model/roles.ts";
import type { Store } from "../../store/store.ts";

/** Whether members of a project can have a role. */
export const isRoleOf = (_kv: Store, _projectId: number, slug: string): Promise<boolean> =>
  Promise.resolve(isFixedRole(slug));
