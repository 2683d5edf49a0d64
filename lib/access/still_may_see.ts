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
  return isAllowed(await currentPermissions({ deps, actor, projectId }), permission);
}

/** Returns the actor's permissions in the project as of now; null for people who left it. */
async function currentPermissions(
  { deps, actor, projectId }: Scope & { projectId: number },
): Promise<number | null> {
  const membership = actor.kind === "user"
    ? (await askAgain(deps, actor, projectId))?.membership
    : await findMembership(deps.kv, actor, projectId);
  return membership?.permissions ?? null;
}

const isAllowed = (permissions: number | null, permission?: Permission): boolean =>
  permissions !== null && (!permission || grants(permissions, permission));

/** Whether the user is still signed in, and an admin. */
export const stillAdmin = async ({ deps, actor }: UserScope): Promise<boolean> =>
  (await askAgain(deps, actor, 0))?.actor.admin ?? false;

/** How long an answer holds if no change is reported, such as a change by a script. */
const RECHECK_MS = 30_000;

interface Sight {
  maySee(permission?: Permission): Promise<boolean>;
  /** Drops the remembered answer, because rights have changed. */
  forget(): void;
}

/** Asks `stillMaySee` and remembers the answer until rights change, or for half a minute. */
export function rememberedSight(scope: Scope & { projectId: number }): Sight {
  let answer: Promise<number | null> | null = null;
  let askedAt = 0;
  return {
    async maySee(permission) {
      const now = scope.deps.clock.ticks();
      if (!answer || now - askedAt > RECHECK_MS) {
        askedAt = now;
        answer = currentPermissions(scope);
      }
      return isAllowed(await answer, permission);
    },
    forget() {
      answer = null;
    },
  };
}
