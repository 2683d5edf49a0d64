import { readMembership } from "../../access/scope.ts";
import { getMember } from "../../access/members.ts";
import { findRole, maskOfRole } from "../../access/roles.ts";
import { AppError } from "../../base/errors.ts";
import { findUser } from "../../model/accounts.ts";
import { isFixedRole } from "../../model/roles.ts";
import type { UserRow } from "../../model/account_row.ts";
import { findProjectEntry } from "../../model/projects.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { mayGiveRole } from "../team/service.ts";
import type { InviteRow } from "./repository.ts";

/** The rows that decide whether someone may still give a role. */
export interface Gift {
  project: ProjectRow;
  inviter: UserRow;
}

/**
 * Returns the project and the inviter of an invitation, as of the commit of `op`. Throws 403 if the
 * inviter may no longer give its role, and 404 if the project is gone.
 */
export async function requireGift(
  kv: Store,
  op: Atomic,
  { project_id, inviter_user_id, role }: InviteRow,
): Promise<Gift> {
  const [project, inviter, member] = await Promise.all([
    findProjectEntry(kv, project_id),
    findUser(kv, inviter_user_id),
    getMember(kv, project_id, inviter_user_id),
  ]);
  if (!project.value || project.value.deleting) throw linkOver();
  const membership = inviter &&
    await readMembership(kv, asActor(inviter.value), project.value, member.value);
  const custom = await findRole(kv, project_id, role);
  const isGone = !custom && !isFixedRole(role);
  const mask = maskOfRole(role, custom?.value ?? null);
  if (!membership || isGone || !mayGiveRole(membership, mask)) {
    throw new AppError(403, "errors.invite_void");
  }
  op.check(project, inviter, member);
  if (custom) op.check(custom).set(custom.key, custom.value);
  return { project: membership.project, inviter: inviter.value };
}

/** 404: a link is used up, too old, withdrawn, or made up. */
export const linkOver = () => new AppError(404, "errors.link_over");

/** Rights do not depend on how a person is signed in. */
export const asActor = ({ id, username, name, admin, external }: UserRow) =>
  ({
    kind: "user",
    id,
    username,
    name,
    admin,
    external,
    credential: { kind: "session", hash: "" },
  }) as const;
