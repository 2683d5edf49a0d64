import * as z from "zod";
import { accessRuleFields, accessRuleViews } from "../access/rules/schema.ts";
import type { AccessRule } from "../model/access_rule.ts";
import { approvalRuleField, approvalRuleSchema, MINUTES_MAX } from "../approvals/schema.ts";
import type { ApprovalRule } from "../model/approval_rule.ts";
import {
  evenIfFieldsFail,
  limitBytes,
  lineField,
  nameField,
  preservedField,
} from "../base/fields.ts";
import { startParams } from "../tasks/start_params.ts";
import { START_WARNING_MAX } from "../templates/schema.ts";
import { surveyField, type SurveyVar, surveyVarSchema } from "../surveys/schema.ts";
import { runSchema } from "./run_schema.ts";
import { fromNodes, graphFields, graphSchema, type Note } from "./semaphore_shape.ts";

export const STEPS_MAX = 100;
const NAME_MAX = 100;
/** Values that go into the answers of one step. */
const MAPPINGS_MAX = 100;

export const STEP_KINDS = ["template", "approval", "wait", "workflow"] as const;
export type StepKind = (typeof STEP_KINDS)[number];
export const CONDITIONS = ["success", "failure", "always", "changed"] as const;
const JOINS = ["all", "any"] as const;

/** A condition of a step: how an earlier one must end. */
export interface After {
  step: number;
  when: (typeof CONDITIONS)[number];
}

/** Source of the answer to a question of a step. */
export interface ValueMapping {
  var: string;
  from: { step: number; name: string } | { answer: string };
}

interface StepBase {
  /** Never used again in the same workflow. */
  id: number;
  name: string;
  /** Null for "after the step above, if it succeeded", or for the first step; empty for now. */
  after: After[] | null;
  join: (typeof JOINS)[number];
  /** Set in answers to readers who may not see what it runs. It is never stored. */
  hidden?: boolean;
}

/** A step that starts a task or another workflow. */
export type TemplateStep = StepBase & {
  kind: "template";
  template_id: number;
  /** Values for the start of the task, as those of a schedule. */
  params: Record<string, unknown> | null;
  values: ValueMapping[];
};
export type NestedStep = StepBase & {
  kind: "workflow";
  workflow_id: number;
  values: ValueMapping[];
};
export type ApprovalStep = StepBase & { kind: "approval"; approval: ApprovalRule };
export type WaitStep = StepBase & { kind: "wait"; minutes: number };
export type Step = TemplateStep | NestedStep | ApprovalStep | WaitStep;

const afterField = z.array(z.object({
  step: z.int("errors.required"),
  when: z.enum(CONDITIONS, "errors.unknown_type").nullish().transform((value) =>
    value ?? "success"
  ),
})).max(STEPS_MAX, "errors.too_long");

const source = z.object({
  step: z.int().nullish(),
  name: lineField(NAME_MAX).nullish(),
  answer: lineField(NAME_MAX).nullish(),
}).transform(({ step, name, answer }, ctx): ValueMapping["from"] => {
  if (answer && !step) return { answer };
  if (step && name && !answer) return { step, name };
  ctx.addIssue({ code: "custom", message: "errors.workflows.value_source" });
  return z.NEVER;
});

const valuesField = z.array(
  z.object({ var: lineField(NAME_MAX).min(1, "errors.required"), from: source }),
)
  .max(MAPPINGS_MAX, "errors.too_long").nullish().transform((value) => value ?? []);

const optionalId = z.int().min(1, "errors.required").nullish();

/** A step as it is sent. Members of other kinds are ignored. */
const stepField = z.object({
  /** The stored step's id. A new step has none, or one below 0 that others may refer to. */
  id: z.int().nullish().transform((value) => value ?? 0),
  kind: z.enum(STEP_KINDS, "errors.unknown_type"),
  /** Empty for the name of its template or workflow. */
  name: lineField(NAME_MAX).nullish().transform((value) => value ?? ""),
  after: afterField.nullish().transform((value) => value ?? null),
  join: z.enum(JOINS, "errors.unknown_type").nullish().transform((value) => value ?? "all"),
  template_id: optionalId,
  workflow_id: optionalId,
  minutes: z.int().min(1, "errors.invalid").max(MINUTES_MAX, "errors.invalid").nullish(),
  approval: approvalRuleField.nullish(),
  params: startParams.nullish().transform((value) => value ?? null),
  values: valuesField,
}).superRefine((step, ctx) => {
  const field = REQUIRED[step.kind];
  if (field && !step[field]) {
    ctx.addIssue({ code: "custom", path: [field], message: "errors.required" });
  }
}, evenIfFieldsFail).transform(({ kind, id, name, after, join, ...own }): Step => {
  const base = { id, name, after, join };
  switch (kind) {
    case "template":
      return { ...base, kind, ...pick(own, "template_id"), params: own.params, values: own.values };
    case "workflow":
      return { ...base, kind, ...pick(own, "workflow_id"), values: own.values };
    case "approval":
      return { ...base, kind, approval: own.approval ?? approvalRuleField.parse({}) };
    case "wait":
      return { ...base, kind, ...pick(own, "minutes") };
  }
});

const REQUIRED: Partial<Record<StepKind, "template_id" | "workflow_id" | "minutes">> = {
  template: "template_id",
  workflow: "workflow_id",
  wait: "minutes",
};

const pick = <Name extends string>(own: { [N in Name]?: number | null }, name: Name) =>
  ({ [name]: own[name] ?? 0 }) as Record<Name, number>;

const stepsField = z.array(stepField)
  .max(STEPS_MAX, "errors.too_long").superRefine(limitBytes);

/** Steps and notes that other clients have sent as nodes. */
const graphField = z.object({
  steps: stepsField,
  notes: z.custom<Note[]>().superRefine(limitBytes),
});

/** The form of a workflow. It has `steps`, or `nodes` and `edges` as other clients send them. */
export const workflowForm = z.object({
  name: nameField,
  description: z.string().max(10_000, "errors.too_long").nullish().transform((value) =>
    value ?? ""
  ),
  /** Shown to people who are about to start it. */
  start_warning: z.string().trim().max(START_WARNING_MAX, "errors.too_long").nullish()
    .transform((value) => value ?? null),
  survey_vars: surveyField,
  /** Each successful task of this build template starts the workflow. */
  build_template_id: preservedField(z.int().min(0, "errors.invalid")),
  ...accessRuleFields,
  steps: stepsField.nullish(),
  ...graphFields,
}).transform(({ nodes, edges, ...form }, ctx) => {
  if (form.steps) return { ...form, steps: form.steps, notes: undefined };
  const graph = fromNodes(nodes ?? [], edges ?? []);
  const parsed = graphField.safeParse(graph);
  if (parsed.success) return { ...form, ...parsed.data };
  for (const issue of parsed.error.issues) {
    const path = [nodes ? "nodes" : "steps", ...issue.path.slice(1)];
    ctx.addIssue({ ...issue, path, input: undefined });
  }
  return z.NEVER;
}).meta({
  example: {
    name: "Release",
    description: "Builds, asks, and deploys in two waves",
    survey_vars: [{ name: "version", title: "Version", type: "", required: true }],
    steps: [
      {
        id: -1,
        kind: "template",
        template_id: 1,
        values: [{ var: "host", from: { answer: "version" } }],
      },
      {
        id: -2,
        kind: "approval",
        name: "To production?",
        approval: { needed: 2, not_starter: true },
      },
      { id: -3, kind: "template", template_id: 1, params: { limit: ["web1.example.com"] } },
      { id: -4, kind: "wait", minutes: 10 },
      { id: -5, kind: "template", template_id: 1, name: "Rest" },
      {
        id: -6,
        kind: "template",
        template_id: 1,
        name: "Roll back",
        after: [{ step: -3, when: "failure" }, { step: -5, when: "failure" }],
        join: "any",
      },
    ],
  },
});
export type WorkflowForm = z.output<typeof workflowForm>;

const base = {
  id: z.int(),
  name: z.string(),
  after: z.array(z.object({ step: z.int(), when: z.enum(CONDITIONS) })).nullable(),
  join: z.enum(JOINS),
  /** Set if the caller may not see its template or workflow. Its other members are then empty. */
  hidden: z.boolean().optional(),
};
const values = z.array(z.object({
  var: z.string(),
  from: z.union([
    z.object({ step: z.int(), name: z.string() }),
    z.object({ answer: z.string() }),
  ]),
}));

/** A step, as it is answered. */
const stepSchema = z.discriminatedUnion("kind", [
  z.object({
    ...base,
    kind: z.literal("template"),
    template_id: z.int(),
    params: z.record(z.string(), z.unknown()).nullable(),
    values,
  }),
  z.object({ ...base, kind: z.literal("approval"), approval: approvalRuleSchema }),
  z.object({ ...base, kind: z.literal("wait"), minutes: z.int() }),
  z.object({ ...base, kind: z.literal("workflow"), workflow_id: z.int(), values }),
]);

export const workflowSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  description: z.string(),
  start_warning: z.string().nullable(),
  survey_vars: z.array(surveyVarSchema),
  /** The build template whose successful tasks start it; null for none. */
  build_template_id: z.int().nullable(),
  /** Number of the definition. It grows with each change. */
  version: z.int(),
  steps: z.array(stepSchema),
  /** The same steps for other clients. */
  ...graphSchema,
  ...accessRuleViews,
  last_run: runSchema.nullable(),
});
/** A workflow as the API returns it. */
export type WorkflowView = z.output<typeof workflowSchema>;

/** The steps and questions of a workflow at one version, which a run of it follows. */
export interface Definition {
  version: number;
  steps: Step[];
  survey_vars: SurveyVar[];
  /** The account that made this version; null for none. */
  changed_by: number | null;
}

/** A stored workflow. */
export interface WorkflowRow extends Definition, AccessRule {
  id: number;
  project_id: number;
  name: string;
  description: string;
  start_warning: string | null;
  build_template_id: number | null;
  /** Annotations of other clients' canvases. */
  notes?: Note[];
  next_step_id: number;
}
