import type { AccountScope } from "../../access/scope.ts";
import { accessChanged } from "../../access/changed.ts";
import { listSessionRows, removeSession, revokeSessions } from "../../access/sessions.ts";
import { notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { getUserRow } from "../../model/accounts.ts";
import { SESSION_ID_LENGTH, type SessionView } from "./schema.ts";

/**
 * How many sessions are listed. A program that signs in at each run has thousands, which no one
 * reads.
 */
const LISTED_MAX = 100;

/** Returns the sessions of an account, last used first, for admins and the owner. */
export async function listSessions({ deps, actor, userId }: AccountScope): Promise<SessionView[]> {
  await getUserRow(deps.kv, userId);
  const sessions = await listSessionRows(deps.kv, userId, deps.clock.now());
  return sessions.slice(0, LISTED_MAX).map((
    { hash, row: { user_id: _, provider: __, ...row } },
  ) => ({
    ...row,
    id: idOf(hash),
    current: hash === actor.credential.hash,
  }));
}

/** Ends one session by its id. Throws not found. */
export async function endSession({ deps, actor, userId }: AccountScope, id: string) {
  const { username } = await getUserRow(deps.kv, userId);
  const sessions = await listSessionRows(deps.kv, userId, deps.clock.now());
  const found = sessions.find(({ hash }) => idOf(hash) === id);
  if (!found) throw notFound();
  const op = deps.kv.atomic();
  removeSession(op, userId, found.hash);
  recordEvent(op, deps, actor, { ...eventOf(userId, username), action: "session_ended" });
  await op.commit();
  await accessChanged(deps, { project_id: null, user_id: userId });
}

/** Ends all sessions of an account except the current one. */
export async function endSessions({ deps, actor, userId }: AccountScope): Promise<void> {
  const { username } = await getUserRow(deps.kv, userId);
  await revokeSessions(deps.kv, userId, actor.credential.hash);
  const op = deps.kv.atomic();
  recordEvent(op, deps, actor, { ...eventOf(userId, username), action: "sessions_ended" });
  await op.commit();
  await accessChanged(deps, { project_id: null, user_id: userId });
}

const idOf = (hash: string) => hash.slice(0, SESSION_ID_LENGTH);

const eventOf = (id: number, name: string) => ({ projectId: 0, object: "user", id, name }) as const;
