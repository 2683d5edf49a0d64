import type { UserActor } from "../access/actor.ts";
import type { Deps } from "../access/deps.ts";
import type { MemberRow, ProjectRow } from "../model/project_row.ts";
import { type Membership, membershipOf } from "../access/scope.ts";
import { AppError, conflict, notFound } from "../base/errors.ts";
import { findRole } from "../access/roles.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic } from "../store/store.ts";
import type { Vote, VoteForm } from "./schema.ts";

/** A vote with the row that stores it. */
interface NewVote extends VoteForm {
  actor: UserActor;
  projectId: number;
  key: Deno.KvKey;
  /** Returns the locale key of the reason why the actor may not vote; null if they may. */
  refusal(membership: Membership): Promise<string | null>;
}

/**
 * Adds a vote to `op`, and returns it. The commit checks the rights of the person. Throws 404 for
 * people outside the project, 403 for those who may not vote, and 409 for a second vote.
 */
export async function addVote(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  op: Atomic,
  { actor, projectId, key, refusal, status, note }: NewVote,
): Promise<Vote> {
  const [project, member, rules, before] = await kv.getMany<
    [ProjectRow, MemberRow, unknown, Vote]
  >([
    rowKeys.project(projectId),
    rowKeys.member(projectId, actor.id),
    rowKeys.accessRulesStamp(projectId),
    key,
  ]);
  const role = member.value && await findRole(kv, projectId, member.value.role);
  const { versionstamp } = rules;
  const membership = membershipOf(actor, project.value, member.value, versionstamp, role?.value);
  if (!membership) throw notFound();
  const reason = await refusal(membership);
  if (reason) throw new AppError(403, reason);
  if (before.value) throw conflict("errors.approvals.voted");
  const vote: Vote = {
    user_id: actor.id,
    username: actor.username,
    user_name: actor.name,
    status,
    note,
    created: clock.now().toISOString(),
  };
  op.check(project, member, before).set(key, vote);
  if (role) op.check(role);
  return vote;
}
