import * as z from "zod";
import { hasControl, hasNul } from "../../base/text/control.ts";
import {
  evenIfFieldsFail,
  isBlank,
  isShVariable,
  limitDepth,
  longTextField,
  nameField,
  optionalIdField,
  parseJsonObject,
  VARIABLE_NAME,
} from "../../base/fields.ts";

import {
  type SecretSource,
  type SourceForm,
  sourceForm,
  sourceSchema,
} from "../secret_storages/schema.ts";

/** `var` is an extra variable of the playbook, `env` a variable of the process. */
const SECRET_TYPES = ["var", "env"] as const;
type EnvironmentSecretType = (typeof SECRET_TYPES)[number];

export const SECRETS_MAX = 100;

/** JSON text of an object. The default is `{}`. An empty one is answered as it was sent. */
const variables = z.union([
  z.literal(""),
  longTextField.transform((text) => text.trim() === "" ? "{}" : text)
    .superRefine((text, ctx) => limitDepth(parseJsonObject(text), ctx)),
]);

/** A secret to create. */
export interface NewSecret {
  operation: "create";
  type: EnvironmentSecretType;
  name: string;
  secret: string;
  /** The place of the value, in place of the value. */
  source: SourceForm | null;
}

/** A change of a stored secret. A null type or name, or an empty value, leaves the stored one. */
export interface SecretEdit {
  operation: "update" | "delete" | "keep";
  id: number;
  type: EnvironmentSecretType | null;
  name: string | null;
  secret: string;
  /** Null leaves the stored one, unless there is a value. */
  source: SourceForm | null;
}

export type SecretChange = NewSecret | SecretEdit;

/**
 * The change of one secret. Secrets that are not listed stay unchanged, as do those that clients
 * send back as they received them, without an operation. To delete a secret, its id is enough.
 */
const secretChange = z.object({
  id: optionalIdField,
  type: z.enum(SECRET_TYPES, "errors.unknown_type").or(z.literal("")).nullish(),
  name: z.string().trim().max(100, "errors.too_long")
    .regex(VARIABLE_NAME, "errors.environments.variable_name").or(z.literal("")).nullish(),
  secret: z.string().max(16_384, "errors.too_long")
    .refine((text) => !hasNul(text), "errors.nul").nullish().transform((value) => value ?? ""),
  source: sourceForm.nullish(),
  operation: z.enum(["create", "update", "delete", ""], "errors.unknown_type").nullish(),
}).transform(({ id, secret, source: place, ...sent }, ctx): SecretChange => {
  const source = place ?? null;
  const missing = (field: string) => {
    ctx.addIssue({ code: "custom", path: [field], message: "errors.required" });
    return z.NEVER;
  };
  const [type, name] = [sent.type || null, sent.name || null];
  if (type === "env" && name !== null && isShVariable(name)) {
    ctx.addIssue({ code: "custom", path: ["name"], message: "errors.shell_variable" });
  }
  const operation = sent.operation || (id === null ? "create" : "keep");
  if (operation === "create") {
    if (type === null) return missing("type");
    return name === null ? missing("name") : { operation, type, name, secret, source };
  }
  return id === null ? missing("id") : { operation, id, type, name, secret, source };
});

/** Body of an API request. Messages are locale keys, never sentences. */
export const environmentBody = z.object({
  name: nameField,
  /** Extra variables for the playbook. */
  json: variables,
  /** Variables of the process; null if there are none. */
  env: z.union([
    z.literal(""),
    longTextField.transform((text) => text.trim() === "" ? null : text),
  ]),
  secrets: z.array(secretChange).max(SECRETS_MAX * 2, "errors.too_long").nullish()
    .transform((value) => value ?? []),
}).superRefine(({ json, env }: { json: unknown; env: unknown }, ctx) => {
  if (typeof json !== "string") return;
  const wrong = (field: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [field], message });
  const vars = parseJsonObject(json || "{}");
  if (!vars) wrong("json", "errors.environments.json_object");
  else if (Object.hasOwn(vars, "")) wrong("json", "errors.environments.empty_name");
  const problem = typeof env === "string" ? envProblem(env || "{}") : null;
  if (problem) wrong("env", problem);
}, evenIfFieldsFail).meta({
  example: {
    name: "Staging",
    json: '{"region": "eu"}',
    env: '{"LANG": "C.UTF-8"}',
    secrets: [{ type: "var", name: "api_token", secret: "…", operation: "create" }],
  },
});
export type EnvironmentForm = z.output<typeof environmentBody>;

/** The form of an environment. A secret that is shown must have a name. */
export const environmentForm = environmentBody.superRefine(({ secrets }, ctx) => {
  for (const [at, { operation, name }] of secrets.entries()) {
    if (operation !== "update" || name !== null) continue;
    ctx.addIssue({ code: "custom", path: ["secrets", at, "name"], message: "errors.required" });
  }
}).transform((form) => ({ ...form, json: form.json || "{}", env: form.env || null }));

/** The form of a stored environment. Variables that stay empty are answered as before. */
export const environmentChangeForm = ({ json, env }: Pick<EnvironmentView, "json" | "env">) =>
  environmentForm.transform((form) => ({
    ...form,
    json: isBlank(form.json) && isBlank(json) ? json : form.json,
    env: isBlank(form.env) && isBlank(env) ? env : form.env,
  }));

/** Returns the problem of the process variables as a locale key, or null. */
function envProblem(text: string): string | null {
  const env = parseJsonObject(text);
  if (!env) return "errors.environments.json_object";
  for (const [name, value] of Object.entries(env)) {
    if (name === "") return "errors.environments.empty_name";
    const problem = envVariableProblem(name, value);
    if (problem) return problem.key;
  }
  return null;
}

/** Returns the problem of one process variable as a locale key, and where it is; or null. */
export function envVariableProblem(
  name: string,
  value: unknown,
): { at: "name" | "value"; key: string } | null {
  const problem = (at: "name" | "value", key: string) => ({ at, key });
  if (/[=\s]/.test(name) || hasControl(name)) {
    return problem("name", "errors.environments.env_name");
  }
  if (isShVariable(name)) return problem("name", "errors.shell_variable");
  if (!["string", "number", "boolean"].includes(typeof value)) {
    return problem("value", "errors.environments.env_value");
  }
  return hasNul(String(value)) ? problem("value", "errors.nul") : null;
}

export const environmentSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  /** Always null. Older clients expect the member. */
  password: z.null(),
  json: z.string(),
  env: z.string().nullable(),
  /** Without values, which are never returned. */
  secrets: z.array(z.object({
    id: z.int(),
    type: z.enum(SECRET_TYPES),
    name: z.string(),
    /** Present only if the value is missing because the secret came from a backup. */
    empty: z.literal(true).optional(),
    /** The place of the value; missing if it is stored here. */
    source: sourceSchema.optional(),
  })),
});
/** An environment as the API returns it. */
export type EnvironmentView = z.output<typeof environmentSchema>;

/** A variable whose value is stored sealed. */
export interface EnvironmentSecret {
  id: number;
  type: EnvironmentSecretType;
  name: string;
  /** Empty if the value must still be typed in, or is stored elsewhere. */
  sealed: Uint8Array;
  source?: SecretSource;
}

/** A stored environment. */
export interface EnvironmentRow extends Omit<EnvironmentView, "secrets"> {
  secrets: EnvironmentSecret[];
}
