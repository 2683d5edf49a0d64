import * as z from "zod";
import { hasControl } from "../../base/text/control.ts";
import { nameField, optionalIdField, preservedField } from "../../base/fields.ts";
import { sentenceOrTextSchema } from "../../base/sentence_or_text.ts";

/** Seconds for which a run waits for a storage that is down. */
export const WAIT_SECONDS = 60;
const WAIT_SECONDS_MAX = 3_600;
const PARAM_MAX = 16_384;
const PARAMS_MAX = 30;

const param = z.union([z.string().max(PARAM_MAX, "errors.too_long"), z.number(), z.boolean()]);

/**
 * The form of a secret storage. Its type decides which `params` there are. A secret that is missing
 * or empty stays; null removes it.
 */
export const secretStorageForm = z.object({
  name: nameField,
  type: z.string("errors.required").max(50, "errors.unknown_type"),
  params: z.record(z.string().max(50), param.nullish()).nullish()
    .transform((params) => params ?? {})
    .refine((params) => Object.keys(params).length <= PARAMS_MAX, "errors.invalid"),
  secret: preservedField(z.string().max(PARAM_MAX, "errors.too_long").nullable()),
  /** Whether a run waits for it while it is unavailable. */
  unavailable: preservedField(z.enum(["wait", "fail"], "errors.unknown_type")),
  wait_seconds: preservedField(
    z.int("errors.integer").min(1, "errors.zero_or_greater").max(
      WAIT_SECONDS_MAX,
      "errors.number_too_large",
    ),
  ),
  /** Whether its address may be in a private network, which only an admin can allow. */
  allow_private: preservedField(z.boolean()),
}).meta({
  example: {
    name: "Team Vault",
    type: "vault",
    params: { url: "https://vault.example.com", auth_method: "token" },
    secret: "…",
  },
});
export type SecretStorageForm = z.output<typeof secretStorageForm>;

export const secretStorageSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  type: z.string(),
  params: z.record(z.string(), z.string()),
  /** Always true: nothing is written to a storage. */
  read_only: z.literal(true),
  unavailable: z.enum(["wait", "fail"]),
  wait_seconds: z.int(),
  allow_private: z.boolean(),
  has_secret: z.boolean(),
  /** The storage came from a backup, and its secret must still be typed in. */
  empty: z.boolean(),
});
/** A secret storage as the API returns it. */
export type SecretStorageView = z.output<typeof secretStorageSchema>;

/** A stored secret storage. */
export interface SecretStorageRow {
  id: number;
  project_id: number;
  name: string;
  type: string;
  params: Record<string, string>;
  /** The sealed credential; null for none. */
  sealed: Uint8Array | null;
  unavailable: "wait" | "fail";
  wait_seconds: number;
  allow_private: boolean;
}

const pathField = z.string("errors.required").trim().min(1, "errors.required")
  .max(1_000, "errors.too_long")
  .refine((path) => !hasControl(path), "errors.control_characters");

/** The body of a test: a path whose names of values are read. */
export const storageTestForm = z.object({ path: pathField }).meta({
  example: { path: "team/web" },
});

/** The place of a value that is stored elsewhere. */
export const sourceSchema = z.object({
  /** The secret storage; null for what needs none. */
  storage_id: z.int().nullable(),
  /** Type of the storage, or `env`, `file` or `command` without one. */
  type: z.string(),
  path: z.string(),
  /** Name of the value at the path; empty for the default. */
  field: z.string(),
});
/** A source as it is stored and returned. */
export type SecretSource = z.output<typeof sourceSchema>;

/** Returns the storages that sources name, each once, as references. */
export const storagesOf = (
  sources: (Pick<SecretSource, "storage_id"> | undefined)[],
): ["secret_storages", number][] =>
  [...new Set(sources.flatMap((source) => source?.storage_id ?? []))]
    .map((id) => ["secret_storages", id]);

/** A source as clients send it. */
export const sourceForm = z.object({
  storage_id: optionalIdField,
  type: z.string().max(50, "errors.unknown_type").nullish(),
  path: pathField,
  field: z.string().trim().max(200, "errors.too_long").nullish().transform((name) => name ?? "")
    .refine((name) => !hasControl(name), "errors.control_characters"),
});
export type SourceForm = z.output<typeof sourceForm>;

/** The place that signs a key for each run, as it is stored and returned. */
export type Signer = Omit<SecretSource, "field">;
export const signerView = sourceSchema.omit({ field: true }).nullable();

/** Null, or an empty path, for none. */
export const signerField = preservedField(
  z.object({
    storage_id: optionalIdField,
    type: z.string().max(50, "errors.unknown_type").nullish(),
    path: z.string().trim().max(1_000, "errors.too_long").nullish()
      .transform((path) => path ?? "")
      .refine((path) => !hasControl(path), "errors.control_characters"),
  }).transform((sent, ctx) => {
    if (sent.path !== "") return sent;
    if (sent.storage_id === null && !sent.type) return null;
    ctx.addIssue({ code: "custom", path: ["path"], message: "errors.required" });
    return z.NEVER;
  }),
);
export type SentSigner = z.output<typeof signerField>;

/** The result of a test. */
export const storageTestSchema = z.object({
  ok: z.boolean(),
  /** Names of the values at the path. */
  names: z.array(z.string()),
  /** Reason of a failure; null for a success. */
  reason: sentenceOrTextSchema.nullable(),
}).meta({ name: "StorageTestResult" });
export type StorageTest = z.output<typeof storageTestSchema>;
