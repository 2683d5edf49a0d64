import type { Actor } from "../access/actor.ts";
import { grants } from "../access/permissions.ts";
import type { Membership } from "../access/scope.ts";
import type { ApprovalRule, Outcome } from "../model/approval_rule.ts";

/** A person with their rights in the project at the time of the vote. */
interface Voter {
  id: number;
  /** Empty for an administrator who is not a member. */
  role: string;
  admin: boolean;
  mayApprove: boolean;
}

/** The people who are part of what is to be approved. */
interface Involved {
  /** The person who started it, directly or through a workflow; null for none. */
  starterId: number | null;
  /** The last people who changed it. */
  editorIds: readonly (number | null)[];
}

/** Returns the locale key of the reason why a person may not vote; null if they may. */
export function voteRefusal(
  rule: Pick<ApprovalRule, "roles" | "user_ids" | "not_starter" | "not_editor" | "needed">,
  voter: Voter,
  { starterId, editorIds }: Involved,
): string | null {
  // No one knows who is behind a token of a project: it could be the starter, or count twice.
  const isOpen = !rule.not_starter && !rule.not_editor && rule.needed === 1;
  if (voter.id < 0 && !isOpen) return "errors.approvals.not_named";
  if (!isNamed(rule, voter)) return "errors.approvals.not_named";
  if (rule.not_starter && voter.id === starterId) return "errors.approvals.starter";
  if (rule.not_editor && editorIds.includes(voter.id)) return "errors.approvals.editor";
  return null;
}

/** Whether a rule lets a person vote. An administrator counts as an owner. */
function isNamed({ roles, user_ids }: Pick<ApprovalRule, "roles" | "user_ids">, voter: Voter) {
  if (roles.length === 0 && user_ids.length === 0) return voter.mayApprove;
  return user_ids.includes(voter.id) || roles.some((role) => role === voter.role) ||
    voter.admin && roles.includes("owner");
}

/** Returns the outcome of votes by different people; null while more are needed. */
export function outcomeOf(
  { needed }: Pick<ApprovalRule, "needed">,
  { approved = 0, rejected = false }: { approved?: number; rejected?: boolean },
): Outcome | null {
  if (rejected) return "rejected";
  return approved >= needed ? "approved" : null;
}

/** The rule of a confirmation without one of its own. */
export const EVERYONE: ApprovalRule = {
  roles: [],
  user_ids: [],
  needed: 1,
  not_starter: false,
  not_editor: false,
  timeout_minutes: null,
  on_timeout: "rejected",
  message: "",
};

/** Returns a person with their rights in the project; null for a trigger. */
export const voterOf = (
  actor: Actor,
  { role, permissions }: Pick<Membership, "role" | "permissions">,
): Voter | null =>
  actor.kind === "user"
    ? { id: actor.id, role, admin: actor.admin, mayApprove: grants(permissions, "approve_tasks") }
    : null;

/** Whether everyone who may run tasks can approve alone, at any time. */
export const isPlain = (
  { roles, user_ids, needed, not_starter, not_editor, timeout_minutes, message }: ApprovalRule,
): boolean =>
  roles.length + user_ids.length === 0 && needed === 1 && !not_starter && !not_editor &&
  timeout_minutes === null && message === "";
