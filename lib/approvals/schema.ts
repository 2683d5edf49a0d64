import * as z from "zod";
import { roleSlugField } from "../access/rules/role_slug.ts";
import { hasNul } from "../base/text/control.ts";
import { flagField, idField } from "../base/fields.ts";
import type { ApprovalRule, Outcome } from "../model/approval_rule.ts";

/** Maximum number of people that a rule names. */
const PEOPLE_MAX = 50;
export const NEEDED_MAX = 10;
const RULE_ROLES_MAX = 20;
/** Thirty days. */
export const MINUTES_MAX = 43_200;
const RULE_MESSAGE_MAX = 2_000;
const NOTE_MAX = 1_000;

const OUTCOMES = ["approved", "rejected"] as const satisfies readonly Outcome[];

const unique = <T>(list: T[] | null | undefined): T[] => [...new Set(list ?? [])];

/** The rule of an approval, as it is sent. Messages are locale keys. */
export const approvalRuleField = z.object({
  /** Roles and people that may vote. Without any, everyone who may run tasks. */
  roles: z.array(roleSlugField).max(RULE_ROLES_MAX, "errors.too_long").nullish().transform(unique),
  user_ids: z.array(idField).max(PEOPLE_MAX, "errors.too_long").nullish().transform(unique),
  /** Number of different people who must approve. */
  needed: z.int().min(1, "errors.invalid").max(NEEDED_MAX, "errors.invalid").nullish()
    .transform((value) => value ?? 1),
  /** Whether the person who started it may not vote. */
  not_starter: flagField,
  /** Whether the last people who changed what is to be approved may not vote. */
  not_editor: flagField,
  /** Null to wait without a limit. */
  timeout_minutes: z.int().min(0, "errors.invalid").max(MINUTES_MAX, "errors.invalid").nullish()
    .transform((value) => value || null),
  on_timeout: z.enum(OUTCOMES, "errors.unknown_type").nullish()
    .transform((value) => value ?? "rejected"),
  message: z.string().trim().max(RULE_MESSAGE_MAX, "errors.too_long")
    .refine((text) => !hasNul(text), "errors.nul").nullish()
    .transform((value) => value ?? ""),
}).superRefine(({ roles, user_ids, needed }, ctx) => {
  if (roles.length > 0 || user_ids.length === 0 || needed <= user_ids.length) return;
  ctx.addIssue({ code: "custom", path: ["needed"], message: "errors.approvals.more_than_named" });
}).meta({ name: "ApprovalRuleBody" });

/** The rule of an approval, as it is stored and answered. */
export const approvalRuleSchema = z.object({
  roles: z.array(z.string()),
  user_ids: z.array(z.int()),
  needed: z.int(),
  not_starter: z.boolean(),
  not_editor: z.boolean(),
  timeout_minutes: z.int().nullable(),
  on_timeout: z.enum(OUTCOMES),
  message: z.string(),
}).meta({ name: "ApprovalRule" }) satisfies z.ZodType<ApprovalRule>;

/** A person whom a rule names; without a name if they are not a member. */
export const approvalPersonSchema = z.object({ id: z.int(), name: z.string().nullable() });
export type ApprovalPerson = z.output<typeof approvalPersonSchema>;

const noteField = z.string().trim().max(NOTE_MAX, "errors.too_long")
  .refine((text) => !hasNul(text), "errors.nul").nullish()
  .transform((value) => value ?? "");

/** A vote, as it is sent. */
export const voteForm = z.object({
  status: z.enum(OUTCOMES, "errors.unknown_type"),
  note: noteField,
}).meta({ example: { status: "approved", note: "The tests are green" } });
export type VoteForm = z.output<typeof voteForm>;

/** Body of a vote whose address says its status. Clients send none, or members of other forms. */
export const noteForm = z.object({ note: noteField }).meta({ name: "NoteBody" }).nullish()
  .transform((form) => form ?? { note: "" }).meta({ example: { note: "Not before the weekend" } });

/** Body of a confirmation. After a preview that failed, it says that the failures are known. */
export const confirmForm = z.object({
  note: noteField,
  in_spite_of_failures: flagField,
}).meta({ name: "ConfirmBody" }).nullish().transform((form) =>
  form ?? { note: "", in_spite_of_failures: false }
).meta({
  example: { note: "Tested on staging", in_spite_of_failures: false },
});

/** A vote, as it is stored and answered. The names are those at its time. */
export const voteSchema = z.object({
  user_id: z.int(),
  username: z.string(),
  user_name: z.string(),
  status: z.enum(OUTCOMES),
  note: z.string(),
  created: z.iso.datetime(),
}).meta({ name: "TaskVote" });
export type Vote = z.output<typeof voteSchema>;
