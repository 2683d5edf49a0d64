import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { InviteStatus } from "./schema.ts";

/** Stored row of an invitation. Pending ones that are too old are shown as expired. */
export interface InviteRow {
  id: number;
  project_id: number;
  email: string | null;
  user_id: number | null;
  /** Slug of a role. */
  role: string;
  status: InviteStatus;
  inviter_user_id: number;
  created: string;
  expires_at: string;
  /** How long a link of it lasts. */
  lifetime_ms: number;
  accepted_at: string | null;
  /** Hash of the link's token; null once the link is used up. */
  token_hash: string | null;
}

/** How many invitations of a project can be open. Teams are smaller. */
export const OPEN_MAX = 50;
/** How many others stay listed. The oldest ones leave first. */
const CLOSED_MAX = 50;
/** How long an invitation stays listed after its end. */
const LISTED_MS = 30 * 86_400_000;

/** Returns the invitations of a project, oldest first. */
export function listInviteRows(kv: Store, projectId: number): Promise<InviteRow[]> {
  const entries = kv.list<InviteRow>({ prefix: rowKeys.invites(projectId) }, { limit: 1_000 });
  return Array.fromAsync(entries, ({ value }) => value);
}

/** Returns an invitation. Its versionstamp is null if there is none. */
export const getInvite = (kv: Store, projectId: number, id: number) =>
  kv.get<InviteRow>(rowKeys.invite(projectId, id));

/** Whether an invitation can be accepted at `now`. */
export const isOpenInvite = ({ status, expires_at }: InviteRow, now: Date): boolean =>
  status === "pending" && now.getTime() < Date.parse(expires_at);

/** Adds an invitation to `op`. Its row is gone some time after its end. */
export function setInvite(op: Atomic, now: Date, row: InviteRow): void {
  const leftMs = isOpenInvite(row, now) ? Date.parse(row.expires_at) - now.getTime() : 0;
  op.set(rowKeys.invite(row.project_id, row.id), row, { expireIn: leftMs + LISTED_MS });
}

/** Adds the end of an invitation to `op`. Its link is then used up. */
export const closeInvite = (
  op: Atomic,
  now: Date,
  row: InviteRow,
  end: Pick<InviteRow, "status"> & Partial<Pick<InviteRow, "accepted_at" | "user_id">>,
): void => setInvite(op, now, { ...row, ...end, token_hash: null });

/** Adds to `op` that the oldest of too many closed invitations leave the list. */
export function dropOldest(op: Atomic, now: Date, rows: readonly InviteRow[]): void {
  const closed = rows.filter((row) => !isOpenInvite(row, now));
  const surplus = closed.slice(0, Math.max(0, closed.length - CLOSED_MAX));
  for (const { project_id, id } of surplus) op.delete(rowKeys.invite(project_id, id));
}
