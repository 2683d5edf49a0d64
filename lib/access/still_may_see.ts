import { askAgain } from "./authenticate.ts";
import { grants, type Permission } from "./permissions.ts";
import { findMembership, type Scope } from "./scope.ts";

/**
 * Whether the actor may see the project now: still signed in, and still a member or an admin, with
 * `permission` where what is seen takes one. For sockets and streams, which outlive the request that
 * was allowed.
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

/** How long an answer holds where nothing told of a change: by a script, say. */
const RECHECK_MS = 30_000;

interface Sight {
  maySee(): Promise<boolean>;
  /** Rights have changed. */
  forget(): void;
}

/** Asks `stillMaySee`, and remembers the answer until rights change, or for half a minute. */
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
