import { askAgain } from "./authenticate.ts";
import { grants, type Permission } from "./permissions.ts";
import { findMembership, type Membership, type Scope, type UserScope } from "./scope.ts";
import { maySeeTaskId } from "./seen/tasks.ts";
import { type Sight, sightOf } from "./sight.ts";

/** Someone in a project, with the membership of the moment at which something was opened. */
type Opened =
  & Scope
  & { projectId: number }
  & Partial<Pick<Membership, "role" | "permissions" | "rulesVersion">>;

/**
 * Whether the actor may still see what they opened. A user must be signed in, and be a member or an
 * admin, with the role and at least the permissions of that moment. With `permission`, the actor
 * must also have it. For sockets and streams, which outlive the request that was allowed.
 */
export const stillMaySee = async (opened: Opened, permission?: Permission): Promise<boolean> =>
  await seenNow(opened, permission) !== null;

/** Whether the actor may still see a task that they opened, as `stillMaySee` says. */
export async function stillMaySeeTask(
  opened: Opened,
  task: Parameters<Sight["maySeeTask"]>[0],
  permission?: Permission,
): Promise<boolean> {
  return (await seenNow(opened, permission))?.sight.maySeeTask(task) ?? false;
}

/** The sight of someone as of now, with their permissions. */
interface Seen {
  sight: Sight;
  permissions: number;
}

/** Returns what the actor sees now; null if they may not see the project as they opened it. */
async function seenNow(opened: Opened, permission?: Permission): Promise<Seen | null> {
  const { deps, actor, projectId } = opened;
  const asked = actor.kind === "user" ? await askAgain(deps, actor, projectId) : null;
  const membership = actor.kind === "user"
    ? asked?.membership
    : await findMembership(deps.kv, actor, projectId);
  if (!membership || hasLost(opened, membership)) return null;
  if (permission && !grants(membership.permissions, permission)) return null;
  const viewer = { deps, actor: asked?.actor ?? actor, projectId, ...membership };
  return { sight: await sightOf(viewer), permissions: membership.permissions };
}

/**
 * Whether someone has another role, lacks a permission that they had, or opened something before
 * the project had its first rule.
 */
const hasLost = ({ role, permissions = 0, rulesVersion }: Opened, now: Membership): boolean =>
  role !== undefined && role !== now.role || (permissions & ~now.permissions) !== 0 ||
  rulesVersion === null && now.rulesVersion !== null;

/** Whether the user is still signed in, and an admin. */
export const stillAdmin = async ({ deps, actor }: UserScope): Promise<boolean> =>
  (await askAgain(deps, actor, 0))?.actor.admin ?? false;

/** How long an answer holds if no change is reported, such as a change by a script. */
const RECHECK_MS = 30_000;

/** Number of tasks of which an answer is remembered. */
const KNOWN_MAX = 1_000;

interface RememberedSight {
  maySee(): Promise<boolean>;
  /** Whether the actor may see the task with this id, and has `permission`. */
  maySeeTask(id: number, permission?: Permission): Promise<boolean>;
  /** Drops the remembered answer, because rights have changed. */
  forget(): void;
}

/** Asks what the actor sees and remembers the answer until rights change, or for half a minute. */
export function rememberedSight(opened: Opened): RememberedSight {
  const { deps, projectId } = opened;
  let answer: Promise<Seen | null> | null = null;
  let askedAt = 0;
  /** The tasks that were asked for. Their template and starter never change. */
  const known = new Map<number, Promise<boolean>>();
  function now() {
    const at = deps.clock.ticks();
    if (!answer || at - askedAt > RECHECK_MS) {
      askedAt = at;
      answer = seenNow(opened);
      known.clear();
    }
    return answer;
  }
  return {
    maySee: async () => await now() !== null,
    async maySeeTask(id, permission) {
      const seen = await now();
      if (!seen || permission && !grants(seen.permissions, permission)) return false;
      const { sight } = seen;
      if (sight.seesAll) return true;
      if (known.size >= KNOWN_MAX) known.clear();
      const asking = known.get(id) ?? maySeeTaskId(deps.kv, sight, projectId, id);
      known.set(id, asking);
      return await asking;
    },
    forget() {
      answer = null;
    },
  };
}
