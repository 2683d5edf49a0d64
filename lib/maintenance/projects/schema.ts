import * as z from "zod";
import { queryFlag } from "../../base/lists/list_query.ts";
import { PERMISSION_NAMES } from "../../access/permissions.ts";
import { flagField, nameField, optionalIdField, preservedField } from "../../base/fields.ts";

const limit = (max: number) =>
  z.int("errors.integer").min(0, "errors.zero_or_greater").max(max, "errors.number_too_large")
    .nullish()
    .transform((value) => value ?? 0);

/** History that a project keeps; 0 for everything that the server keeps. */
export const projectRetention = z.object({
  max_tasks_per_template: limit(1_000_000),
  max_age_days: limit(36_500),
});

/** The form of a project. Messages are locale keys, never sentences. */
export const projectForm = z.object({
  name: nameField,
  alert: flagField,
  /** An empty text means none, and is returned as it was sent. */
  alert_chat: z.string().trim().max(100, "errors.too_long").nullish()
    .transform((value) => value ?? null),
  max_parallel_tasks: limit(1_000_000),
  type: z.literal("", "errors.unknown_type").nullish().transform(() => ""),
  retention: preservedField(projectRetention),
  /** Whether tasks run on runners only, also those that need no label. */
  only_runners: preservedField(z.boolean()),
  /** The Ansible of tasks whose template and inventory have none; null for that of the server. */
  toolchain_id: preservedField(z.int().min(0, "errors.invalid").transform((id) => id || null)),
});
export type ProjectForm = z.output<typeof projectForm>;

/** Alerts of a project without rules, which have a form of their own among its alerts. */
export const projectAlertsForm = projectForm.pick({ alert: true, alert_chat: true });

/** Form of the page of an existing project. A checkbox that is not ticked is not sent. */
export const projectPageForm = projectForm.omit({ alert: true, alert_chat: true }).extend({
  only_runners: flagField,
  toolchain_id: optionalIdField,
});

/** Example for the document of the API. */
const project = {
  name: "Web shop",
  alert: true,
  alert_chat: "-1001234567890",
  max_parallel_tasks: 2,
};
/** Body of an API request for an existing project. Its type cannot change. */
export const projectBody = projectForm.extend({
  type: z.string().max(100, "errors.too_long").nullish().transform(() => ""),
}).meta({ example: project });

/** `demo` fills the new project with something to run. */
export const newProjectForm = projectForm.extend({
  demo: flagField,
}).meta({ example: { ...project, demo: false } });
export type NewProjectForm = z.output<typeof newProjectForm>;

export const deleteProjectForm = z.object({ force: z.boolean().nullish() }).meta({
  example: { force: true },
});
export const deleteProjectQuery = z.object({
  force: queryFlag.describe("With `true`, open tasks are stopped first"),
});

/** A person's role in a project. It is empty for an admin who is not a member. */
export const projectRoleSchema = z.object({
  role: z.string(),
  permissions: z.int(),
  granted: z.array(z.enum(PERMISSION_NAMES)),
});
export type ProjectRole = z.output<typeof projectRoleSchema>;

export const projectSchema = z.object({
  id: z.int(),
  name: z.string(),
  created: z.iso.datetime(),
  alert: z.boolean(),
  alert_chat: z.string().nullable(),
  max_parallel_tasks: z.int(),
  type: z.string(),
  retention: z.object({ max_tasks_per_template: z.int(), max_age_days: z.int() }).nullish(),
  only_runners: z.boolean(),
  toolchain_id: z.int().nullable(),
});
/** A project as the API returns it. */
export type ProjectView = z.output<typeof projectSchema>;
