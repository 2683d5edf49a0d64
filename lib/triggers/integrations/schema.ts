import { z } from "zod";
import { flagField, idField, nameField, optionalIdField } from "../../base/fields.ts";
import { startParams } from "../schedules/schema.ts";
import { type ExtractValue, HEADER_NAME, type Matcher, text } from "./part_schemas.ts";

/** How a call proves that it may start something. Two names say that it need not; kept as sent. */
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

/** Whether anybody may call. */
export const isOpen = (method: AuthMethod): boolean => method === "" || method === "none";

/** What a person may type. Messages are locale keys, never sentences. */
export const integrationForm = z.object({
  name: nameField,
  template_id: idField,
  auth_method: z.enum(AUTH_METHODS, "errors.unknown_type").nullish().transform((value) =>
    value ?? ""
  ),
  /** A key with a login and a password. While there is none such, every call is refused. */
  auth_secret_id: optionalIdField,
  auth_header: text(200).refine(
    (name) => name === "" || HEADER_NAME.test(name),
    "errors.header_name",
  ),
  searchable: flagField,
  task_params: startParams.nullish().transform((value) => value ?? null),
  keep_bodies: flagField,
});
export type IntegrationForm = z.output<typeof integrationForm>;

/** What the integration's page switches by a press of a button. */
export const SWITCHES = ["searchable", "keep_bodies"] as const;
export type IntegrationSwitch = (typeof SWITCHES)[number];

export const integrationSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  template_id: z.int(),
  auth_method: z.enum(AUTH_METHODS),
  auth_secret_id: z.int().nullable(),
  auth_header: z.string(),
  /** Answers to the addresses of the project, not only to its own. */
  searchable: z.boolean(),
  task_params: z.record(z.string(), z.unknown()).nullable(),
  /** Whether the log of calls keeps their bodies. */
  keep_bodies: z.boolean(),
});
/** What the API answers. */
export type IntegrationView = z.output<typeof integrationSchema>;

/** An address that calls come to; `text` is its last part. */
export interface AliasRow {
  id: number;
  text: string;
}

/** What is stored. Its matchers, values and own addresses are part of it, and go with it. */
export interface IntegrationRow extends IntegrationView {
  matchers: Matcher[];
  values: ExtractValue[];
  aliases: AliasRow[];
}
