import { hasControl, isHeaderValue } from "../../base/text/control.ts";
import { invalidField } from "../../base/errors.ts";
import type { SourceField, SourceKind } from "../../execution/sources/kind.ts";
import { sourceKinds } from "../../execution/sources/kinds.ts";
import type { SecretStorageForm, SecretStorageRow } from "./schema.ts";

const LINE_MAX = 2_000;

/** Types of storages that have rows. */
export const STORAGE_TYPES: readonly string[] = Object.entries(sourceKinds)
  .flatMap(([type, { builtIn }]) => builtIn ? [] : [type]);

/** Returns the kind of a stored storage, or of a new one. Throws 400 for other types. */
export function storageKind(type: string): SourceKind {
  if (STORAGE_TYPES.includes(type)) return sourceKinds[type];
  throw invalidField("type", "errors.unknown_type");
}

/**
 * Reads the params of a form by the fields of its type. Those of other sign-in methods are left
 * out, and unknown ones too, because newer clients send their own. Throws 400, naming the field.
 */
export function readParams({ type, params }: Pick<SecretStorageForm, "type" | "params">) {
  const read: Record<string, string> = {};
  for (const field of storageKind(type).fields) {
    const { name, fallback = "", when = {} } = field;
    if (!Object.entries(when).every(([other, value]) => read[other] === value)) continue;
    const value = String(params[name] ?? "").trim() || fallback;
    validateParam(field, value);
    if (value !== "") read[name] = value;
  }
  return read;
}

/**
 * Returns the credential of a form without the line break that was copied with it. Throws 400 for
 * one that no request can send.
 */
export function readSecret(
  { type, secret }: Pick<SecretStorageForm, "type" | "secret">,
  params: Record<string, string>,
): SecretStorageForm["secret"] {
  const text = secret?.trim();
  if (text && storageKind(type).sendsSecret?.(params) && !isHeaderValue(text)) {
    throw invalidField("secret", "errors.header_value");
  }
  return secret === null ? null : text;
}

/** Whether the credential of a storage must still be typed in. */
export const lacksSecret = (
  { type, params, sealed }: Pick<SecretStorageRow, "type" | "params" | "sealed">,
): boolean => sealed === null && storageKind(type).hasSecret(params);

/** Whether a storage is at another address than before, whose owner would get its credential. */
export const isMoved = (
  { type, params }: Pick<SecretStorageRow, "type" | "params">,
  stored: SecretStorageRow,
): boolean =>
  type !== stored.type ||
  storageKind(type).fields.some((field) =>
    field.type === "url" && params[field.name] !== stored.params[field.name]
  );

function validateParam(
  { name, type, required, choices, inHeader }: SourceField,
  value: string,
): void {
  const wrong = (key: string, params?: Record<string, number>) => {
    throw invalidField(`params.${name}`, key, params);
  };
  if (value === "") return required ? wrong("errors.required") : undefined;
  if (type !== "area" && value.length > LINE_MAX) wrong("errors.too_long", { max: LINE_MAX });
  if (type !== "area" && hasControl(value)) wrong("errors.control_characters");
  if (inHeader && !isHeaderValue(value)) wrong("errors.header_value");
  if (choices && !choices.includes(value)) wrong("errors.unknown_type");
  if (type === "area" && !/-----BEGIN CERTIFICATE-----/.test(value)) {
    wrong("errors.sources.certificates");
  }
  if (type !== "url") return;
  const url = URL.parse(value);
  if (!url || !["https:", "http:"].includes(url.protocol)) wrong("errors.alerts.url");
  // Params are shown, and kept in events and backups.
  if (url?.username || url?.password) wrong("errors.templates.survey_url");
}
