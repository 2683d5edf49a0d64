import type { RecordedPerson } from "../../base/person.ts";
import type { UserRow } from "../../model/account_row.ts";
import type { MemberRow } from "../../model/project_row.ts";
import type { TokenLimits } from "../../model/token_limits.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { EXPIRED_KEPT_MS, usedAt } from "../api_tokens.ts";
import type { ProjectCredential, UserActor } from "../actor.ts";
import { covers, grants } from "../permissions.ts";
import { readMask } from "../roles.ts";

/** Stored row of a token that belongs to a project. */
export interface ProjectTokenRow {
  id: number;
  project_id: number;
  name: string;
  /** First letters of the token. */
  prefix: string;
  created: string;
  creator: RecordedPerson & { user_id: number };
  expires_at: string | null;
  last_used: string | null;
  last_address?: string;
  limits: TokenLimits;
  /** Permissions of its scopes, as far as its creator could give them. */
  permissions: number;
  /** Permissions that its creator had beyond these. */
  withheld: number;
  /** The person who has kept it, so that it works without its creator. */
  kept?: RecordedPerson & { at: string };
}

/** Why a token does not work although it has not expired. */
type SuspendedReason = "creator_deleted" | "creator_left" | "creator_lost_rights";

/**
 * Returns why a token waits for someone to keep it; null if it works. It works while its creator
 * could still create it, because a person who leaves must not leave a key behind.
 */
export async function suspendedBy(
  kv: Store,
  { project_id, kept, permissions }: ProjectTokenRow,
  user: UserRow | null,
  member: MemberRow | null,
): Promise<SuspendedReason | null> {
  if (kept) return null;
  if (!user) return "creator_deleted";
  if (user.admin) return null;
  if (!member) return "creator_left";
  const mask = await readMask(kv, project_id, member.role);
  return grants(mask, "manage_users") && covers(mask, permissions) ? null : "creator_lost_rights";
}

/** The rows that decide whether a token works. */
export const projectTokenKeys = (projectId: number, creatorId: number, hash: string) =>
  [
    rowKeys.projectToken(projectId, hash),
    rowKeys.user(creatorId),
    rowKeys.member(projectId, creatorId),
  ] as const;
export type ProjectTokenRows = [ProjectTokenRow, UserRow, MemberRow];

/** Whether a token works as of now. */
export const worksNow = async (
  kv: Store,
  row: ProjectTokenRow,
  user: UserRow | null,
  member: MemberRow | null,
  now: Date,
): Promise<boolean> =>
  (row.expires_at === null || now.getTime() < Date.parse(row.expires_at)) &&
  await suspendedBy(kv, row, user, member) === null;

/** Returns a token as an actor. Its name is what the history shows. */
export function tokenActor(row: ProjectTokenRow, hash: string): UserActor {
  const { id, name, prefix, project_id, creator, permissions, withheld, limits } = row;
  const ofProject: ProjectCredential = {
    id: project_id,
    creatorId: creator.user_id,
    permissions,
    withheld,
  };
  const shown = `token ${name}`;
  return {
    kind: "user",
    id: -id,
    username: shown,
    name: shown,
    admin: false,
    external: false,
    credential: { kind: "token", hash, tokenId: prefix, limits, ofProject },
  };
}

/** Adds a token's row to `op`. */
export function putProjectToken(op: Atomic, hash: string, row: ProjectTokenRow, now: Date): void {
  op.set(rowKeys.projectToken(row.project_id, hash), row, expiryOf(row, now));
}

/** Records at intervals that a token is in use. */
export async function touchProjectToken(
  kv: Store,
  entry: Deno.KvEntry<ProjectTokenRow>,
  now: Date,
  address?: string,
): Promise<void> {
  const used = usedAt(entry.value, now, address);
  if (!used) return;
  await kv.atomic().check(entry).set(entry.key, used, expiryOf(used, now)).commit();
}

/** Returns the tokens of a project with their hashes, oldest first. */
export async function listProjectTokenRows(
  kv: Store,
  projectId: number,
): Promise<{ hash: string; row: ProjectTokenRow }[]> {
  const rows: { hash: string; row: ProjectTokenRow }[] = [];
  const entries = kv.list<ProjectTokenRow>({ prefix: rowKeys.projectTokens(projectId) }, {
    limit: 1000,
  });
  for await (const { key, value } of entries) rows.push({ hash: key[2] as string, row: value });
  return rows.toSorted((a, b) => a.row.id - b.row.id);
}

/** A token is listed for some time after it has expired. */
function expiryOf({ expires_at }: ProjectTokenRow, now: Date): { expireIn?: number } {
  if (expires_at === null) return {};
  return { expireIn: Math.max(1, Date.parse(expires_at) + EXPIRED_KEPT_MS - now.getTime()) };
}
