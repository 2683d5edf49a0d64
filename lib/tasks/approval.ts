import * as z from "zod";
import { EVERYONE } from "../approvals/rule.ts";
import { approvalRuleSchema } from "../approvals/schema.ts";
import type { ApprovalRule, TaskApproval } from "../model/approval_rule.ts";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";

/** Approval in API responses. */
export const taskApprovalSchema = approvalRuleSchema.extend({
  /** Number of people who have approved. */
  approved: z.int(),
  /** End of the time limit; null until the task waits, and without a limit. */
  until: z.iso.datetime().nullable(),
  /** Reason why it is asked for again, as a sentence; empty at first. */
  asked_again: sentenceOrTextSchema,
});

/** Returns the approval of a new task. Without a rule, everyone who may run tasks can approve. */
export const newApproval = (
  rule: ApprovalRule | null = null,
  editorId: number | null = null,
): TaskApproval => ({ ...rule ?? EVERYONE, editor_id: editorId, approved: 0, until: null });

/** Returns the approval of a task that begins to wait for it. */
export function waitingApproval(approval: TaskApproval, now: Date): TaskApproval {
  const { timeout_minutes: minutes } = approval;
  const until = minutes === null ? null : new Date(now.getTime() + minutes * 60_000).toISOString();
  return { ...approval, until };
}

export const approvalView = (
  { editor_id: _, again, ...approval }: TaskApproval,
): z.output<typeof taskApprovalSchema> => ({ ...approval, asked_again: again ?? "" });
