import { askAgain } from "./authenticate.ts";
import { grants, type Permission } from "./permissions.ts";
import { findMembership, type Scope, type UserScope } from "./scope.ts";

/**
 * Whether the actor may still see the project. A user must be signed in, and be a member or an
 * admin. With `permission`, the actor must also have it. For sockets and streams, which outlive the
 * request that was allowed.
 */
export async function stillMaySee(
  { deps, actor, projectId }: Scope & { projectId: number },
  permission?: Permission,
): Promise<boolean> {
  const membership = actor.kind === "user"
    ? (await askAgain(deps, actor, projectId))?.membership
    : await findMembership(deps.kv, actor, projectId);
  return Boolean(membership && (!permission || grants(membership.permissions, permission)));
}

/** Whether the user is still signed in, and an admin. */
export const stillAdmin = async ({ deps, actor }: UserScope): Promise<boolean> =>
  (await askAgain(deps, actor, 0))?.actor.admin ?? false;

/** How long an answer holds if no change is reported, such as a change by a script. */
const RECHECK_MS = 30_000;

interface Sight {
  maySee(): Promise<boolean>;
  /** Drops the remembered answer, because rights have changed. */
  forget(): void;
}

/** Asks `stillMaySee` and remembers the answer until rights change, or for half a minute. */
export function rememberedSight(scope: Scope & { projectId: number }): Sight {
  let answer: Promise<boolean> | null = null;
  let askedAt = 0;
  return {
    maySee() {
      const now = scope.deps.clock.ticks();
      if (!answer || now - askedAt > RECHECK_MS) {
        askedAt = now;
        answer = stillMaySee(scope);
      }
      return answer;
    },
    forget() {
      answer = null;
    },
  };
}
