import * as z from "zod";
import { listAfter, listSize, queryNumber } from "../base/lists/list_query.ts";
import { PERMISSION_NAMES } from "../access/permissions.ts";

/** Origins of a right, or of its absence. */
const ORIGINS = ["admin", "role", "rule", "view"] as const;

const rightSchema = z.object({
  allowed: z.boolean(),
  /** The role, the rule of the object, or the rule of its view. */
  origin: z.enum(ORIGINS),
}).meta({ name: "Right" });
/** Whether someone may do something, and why. */
export type Right = z.output<typeof rightSchema>;

const rightsSchema = z.object({ see: rightSchema, run: rightSchema, edit: rightSchema })
  .meta({ name: "Rights" });
/** Rights of someone to a template or a workflow. */
export type ObjectRights = z.output<typeof rightsSchema>;

/** Number of hidden templates that are named. */
export const NAMED_MAX = 50;

const templatesSchema = z.object({
  total: z.int(),
  seen: z.int(),
  runnable: z.int(),
  editable: z.int(),
  /** The first that they do not see, by ID. */
  hidden: z.array(
    z.object({ id: z.int(), name: z.string() }).meta({ name: "HiddenTemplate" }),
  ),
}).meta({ name: "TemplateRights" });
/** The templates of a project that someone may see, run and edit. */
export type TemplateRights = z.output<typeof templatesSchema>;

/** The effective rights of a person in a project. */
export const accessSchema = z.object({
  user_id: z.int(),
  username: z.string(),
  name: z.string(),
  /** Slug of their role; empty for an administrator who is not a member. */
  role: z.string(),
  admin: z.boolean(),
  permissions: z.array(z.enum(PERMISSION_NAMES)),
  /** Those of the template or the workflow that was asked for. */
  rights: rightsSchema.nullable(),
  /** Only if one person was asked for. */
  templates: templatesSchema.nullable(),
}).meta({ name: "EffectiveAccess" });
export type EffectiveAccess = z.output<typeof accessSchema>;

/** Maximum number of people in one answer. */
export const PEOPLE_MAX = 200;

/** Query of effective rights: a person, an object, or both. */
export const accessQuery = z.object({
  ...listSize,
  user_id: queryNumber().describe("Only this person"),
  template_id: queryNumber().describe("Rights to this template"),
  workflow_id: queryNumber().describe("Rights to this workflow"),
  after: listAfter,
});
export type AccessQuery = z.output<typeof accessQuery>;
