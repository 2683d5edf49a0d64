import type { UserActor } from "../access/actor.ts";
import { mayCreateProjects } from "../access/permissions.ts";
import { authorize, requireAdmin } from "../access/authorize.ts";
import type { Deps } from "../access/deps.ts";
import { forbidden } from "../base/errors.ts";
import type { Operation } from "../access/operation.ts";

/**
 * Tells those who may not so before anything that they send is read. The services decide, for
 * pages, schedules and webhooks as well; this only comes first.
 */
export async function admit(
  { access }: Operation,
  { kv, config }: Deps,
  actor: UserActor,
  { projectId, userId }: Record<string, number>,
): Promise<void> {
  switch (access) {
    case "public":
    case "user":
      return;
    case "admin":
      return requireAdmin(actor);
    case "admin_or_self":
      return actor.id === userId ? undefined : requireAdmin(actor);
    case "create_project":
      if (!mayCreateProjects(config, actor)) throw forbidden();
      return;
    default:
      await authorize(kv, actor, projectId, access === "member" ? undefined : access);
  }
}
