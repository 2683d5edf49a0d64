import * as z from "zod";
import { alertRuleSchema, ruleForm } from "../../../alerts/rules/schema.ts";
import { testResultSchema } from "../../../alerts/schema.ts";
import {
  alertDeliverySchema,
  targetForm,
  targetSchema,
  targetTestSchema,
} from "../../../alerts/targets/schema.ts";
import {
  approvalRuleField,
  approvalRuleSchema,
  confirmForm,
  noteForm,
  voteSchema,
} from "../../../approvals/schema.ts";
import { namedObjectSchema } from "../../../base/named_object.ts";
import { hostRunSchema } from "../../../hosts/schema.ts";
import { backupSchema, restoreAnswer, sentBackup } from "../../../maintenance/backup/schema.ts";
import { checkListSchema, healthSchema } from "../../../monitoring/health/schema.ts";
import { foundRunsSchema, logMatchesSchema, logRecordSchema } from "../../../output/matches.ts";
import { memberForm, memberSchema } from "../../../people/team/schema.ts";
import { referencesSchema } from "../../../references/schema.ts";
import { storageTestSchema } from "../../../resources/secret_storages/schema.ts";
import { fullResultSchema } from "../../../results/schema.ts";
import { rotatedTokenSchema, runnerActiveBody } from "../../../runners/schema.ts";
import { foundSchema } from "../../../search/schema.ts";
import { questionChoicesSchema, surveyVarSchema } from "../../../surveys/schema.ts";
import { previewSchema } from "../../../tasks/preview_state.ts";
import { queuedTaskSchema, taskOutputSchema, taskSchema } from "../../../tasks/schema.ts";
import { statsSchema } from "../../../tasks/trends/schema.ts";
import { aliasSchema } from "../../../triggers/aliases/schema.ts";
import { scheduleActiveForm } from "../../../triggers/schedules/schema.ts";
import { deliveryDetailsSchema, webhookAnswerSchema } from "../../../triggers/webhooks/schema.ts";
import { runStatsSchema } from "../../../workflows/trend_schema.ts";
import { runApprovalSchema, wholeRunSchema } from "../../../workflows/run_schema.ts";

/**
 * Names of schemas whose operation or member would give them a worse one, for example because
 * several use them. Clients are generated with these names, so they stay.
 */
export const componentNames: z.core.$ZodRegistry<{ name: string }> = z.registry();

const NAMES: [name: string, ...schemas: z.ZodType[]][] = [
  ["ActiveBody", runnerActiveBody, scheduleActiveForm],
  ["AlertDelivery", alertDeliverySchema],
  ["AlertRule", alertRuleSchema],
  ["AlertRuleBody", ruleForm],
  ["AlertTarget", targetSchema],
  ["AlertTargetBody", targetForm],
  ["AlertTargetTestResult", targetTestSchema],
  ["AlertTestResult", testResultSchema],
  ["Alias", aliasSchema],
  ["ApprovalRule", approvalRuleSchema],
  ["ApprovalRuleBody", approvalRuleField],
  ["CheckFinding", checkListSchema.shape.checks.element],
  ["CheckList", checkListSchema],
  ["DayStats", statsSchema.element],
  ["DeliveryDetails", deliveryDetailsSchema],
  ["FoundObjects", foundSchema],
  ["FoundRuns", foundRunsSchema],
  ["FullTaskResult", fullResultSchema],
  ["Health", healthSchema],
  ["HealthCheck", healthSchema.shape.checks.shape.store],
  ["HostRun", hostRunSchema],
  ["BuildTask", taskSchema.shape.build_task.unwrap()],
  ["Choice", surveyVarSchema.shape.values.element],
  ["QuestionChoices", questionChoicesSchema],
  ["NamedObject", namedObjectSchema],
  ["LogLine", logRecordSchema],
  ["LogMatches", logMatchesSchema],
  ["Member", memberSchema],
  ["IssuedToken", rotatedTokenSchema],
  ["ConfirmBody", confirmForm.in.unwrap().unwrap()],
  ["NoteBody", noteForm.in.unwrap().unwrap()],
  ["PreviewState", previewSchema],
  ["ProjectBackup", backupSchema],
  ["ProjectBackupBody", sentBackup],
  ["QueuedTask", queuedTaskSchema],
  ["References", referencesSchema],
  ["RestoredProject", restoreAnswer],
  ["RoleBody", memberForm],
  ["StorageTestResult", storageTestSchema],
  ["SurveyVar", surveyVarSchema],
  ["TaskOutput", taskOutputSchema],
  ["TaskVote", voteSchema],
  ["WebhookAnswer", webhookAnswerSchema],
  ["WorkflowDayStats", runStatsSchema.element],
  ["WorkflowRunApproval", runApprovalSchema],
  ["WorkflowRunDetails", wholeRunSchema],
];
for (const [name, ...schemas] of NAMES) {
  for (const schema of schemas) schema.register(componentNames, { name });
}
