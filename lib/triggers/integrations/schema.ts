import * as z from "zod";
import { evenIfFieldsFail, flagField, nameField, optionalIdField } from "../../base/fields.ts";
import { WAITING_POLICIES, waitingPolicyField } from "../../tasks/waiting_policy.ts";
import { startParams } from "../../tasks/start_params.ts";
import { requireOneTarget, targetFields } from "../trigger_target.ts";
import { type ExtractValue, HEADER_NAME, type Matcher, ruleText } from "./rule_schemas.ts";

/**
 * Methods of authenticating a call. Two names mean that none is needed. Both are stored as sent.
 */
export const AUTH_METHODS = [
  "",
  "none",
  "github",
  "bitbucket",
  "token",
  "basic",
  "hmac",
  "hmac-sha512",
] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** Whether calls need no authentication. */
export const isOpen = (method: AuthMethod): boolean => method === "" || method === "none";

/** The form of an integration. Messages are locale keys, never sentences. */
export const integrationForm = z.object({
  name: nameField,
  /** One of the two: the object that it starts. */
  ...targetFields,
  auth_method: z.enum(AUTH_METHODS, "errors.unknown_type").nullish().transform((value) =>
    value ?? ""
  ),
  /** A key with a login and a password. Without such a key, every call is refused. */
  auth_secret_id: optionalIdField,
  auth_header: ruleText(200).refine(
    (name) => name === "" || HEADER_NAME.test(name),
    "errors.header_name",
  ),
  searchable: flagField,
  task_params: startParams.nullish().transform((value) => value ?? null),
  keep_bodies: flagField,
  if_waiting: waitingPolicyField,
}).superRefine(requireOneTarget, evenIfFieldsFail).meta({
  example: {
    name: "Git push",
    template_id: 1,
    if_waiting: "latest",
    auth_method: "github",
    auth_secret_id: 2,
    searchable: false,
  },
});
export type IntegrationForm = z.output<typeof integrationForm>;

/** Flags that a button on the integration's page changes. */
export const SWITCHES = ["searchable", "keep_bodies"] as const;
export type IntegrationSwitch = (typeof SWITCHES)[number];

export const integrationSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  /** Null for an integration that starts a workflow. */
  template_id: z.int().nullable(),
  workflow_id: z.int().nullable(),
  auth_method: z.enum(AUTH_METHODS),
  auth_secret_id: z.int().nullable(),
  auth_header: z.string(),
  /** Whether calls to the project's addresses reach it, too. */
  searchable: z.boolean(),
  task_params: z.record(z.string(), z.unknown()).nullable(),
  /** Whether the log of calls stores their bodies. */
  keep_bodies: z.boolean(),
  /** Decision of a call while its latest task still waits, or its latest run is open. */
  if_waiting: z.enum(WAITING_POLICIES),
});
/** An integration as the API returns it. */
export type IntegrationView = z.output<typeof integrationSchema>;

/** An address for calls. `text` is its last part. */
export interface AliasRow {
  id: number;
  text: string;
}

/** A stored integration. Its matchers, values and own addresses are deleted with it. */
export interface IntegrationRow extends IntegrationView {
  matchers: Matcher[];
  values: ExtractValue[];
  aliases: AliasRow[];
}
