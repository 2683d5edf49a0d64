import { findMembership, type Scope } from "./scope.ts";
import { askAgain } from "./authenticate.ts";

/**
 * Whether the actor may see the project now: still signed in, and still a member or an admin. For
 * sockets and streams, which outlive the request that was allowed.
 */
export async function stillMaySee(
  { deps, actor, projectId }: Scope & { projectId: number },
): Promise<boolean> {
  const membership = actor.kind === "user"
    ? (await askAgain(deps, actor, projectId))?.membership
    : await findMembership(deps.kv, actor, projectId);
  return Boolean(membership);
}
