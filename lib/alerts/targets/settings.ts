import { hasControl, isHeaderValue } from "../../base/text/control.ts";
import { invalidField } from "../../base/errors.ts";
import { roleSlugField } from "../../access/rules/role_slug.ts";
import { isOneAddress } from "../../people/users/schema.ts";
import { templateProblem } from "../kinds/http.ts";
import type { KindField } from "../kinds/kind.ts";
import { fieldsOf } from "../kinds/kinds.ts";
import type { TargetKind } from "../schema.ts";
import type { TargetRow } from "./rows.ts";
import type { TargetForm } from "./schema.ts";

const ADDRESSES_MAX = 20;
const LINE_MAX = 2_000;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const OWN_HEADERS = ["host", "content-length", "transfer-encoding", "connection", "content-type"];

/** Settings as they are to be stored. */
interface ReadSettings {
  settings: Record<string, string>;
  /** New values of secrets. */
  given: Record<string, string>;
  /** Names of the stored secrets that stay. */
  kept: string[];
  /** Whether the target is at another address now. */
  isMoved: boolean;
}

/**
 * Reads the settings of a form by the fields of its kind. Throws 400, naming the field. After a
 * change of the address, all secrets must be sent again, so that no one can send those of others
 * to a server of their own.
 */
export function readSettings(
  { kind, settings: sent }: Pick<TargetForm, "kind" | "settings">,
  stored: TargetRow | null,
): ReadSettings {
  const fields = fieldsOf(kind);
  const before = stored?.kind === kind ? stored : null;
  const unknown = Object.keys(sent).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) throw invalidSetting(unknown, "errors.alerts.unknown_setting");
  const settings: Record<string, string> = {};
  const given: Record<string, string> = {};
  const kept: string[] = [];
  for (const field of fields) {
    const { name, secret, required } = field;
    const value = (sent[name] ?? "").trim();
    const isKept = secret && value === "" && sent[name] !== null &&
      (before?.secrets.includes(name) ?? false);
    if (value !== "") validateSetting(field, value);
    else if (required && !isKept) throw invalidSetting(name, "errors.required");
    if (isKept) kept.push(name);
    else if (value !== "") (secret ? given : settings)[name] = value;
  }
  validateKind(kind, settings);
  const isMoved = fields.some(({ name, type, secret }) =>
    type === "url" && (secret ? name in given : settings[name] !== before?.settings[name])
  );
  if (isMoved && kept.length > 0) throw invalidSetting(kept[0], "errors.alerts.secret_again");
  return { settings, given, kept, isMoved };
}

/**
 * Returns the settings of a form that are not secret. Others are left out, and none is required.
 * Throws 400, naming the field.
 */
export function checkedSettings(
  { kind, settings: sent }: Pick<TargetForm, "kind" | "settings">,
): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const field of fieldsOf(kind)) {
    const value = (sent[field.name] ?? "").trim();
    if (field.secret || value === "") continue;
    validateSetting(field, value);
    settings[field.name] = value;
  }
  validateKind(kind, settings);
  return settings;
}

/** Returns the names of required secrets that a target lacks. */
export const missingSecrets = ({ kind, secrets }: Pick<TargetRow, "kind" | "secrets">): string[] =>
  fieldsOf(kind).filter(({ name, secret, required }) =>
    secret && required && !secrets.includes(name)
  ).map(({ name }) => name);

const invalidSetting = (name: string, key: string, params?: Record<string, string | number>) =>
  invalidField(`settings.${name}`, key, params);

function validateSetting(
  { name, type, choices, secret, inHeader }: KindField,
  value: string,
): void {
  if (type !== "area" && value.length > LINE_MAX) {
    throw invalidSetting(name, "errors.too_long", { max: LINE_MAX });
  }
  if (type !== "area" && hasControl(value)) {
    throw invalidSetting(name, "errors.control_characters");
  }
  if (inHeader && !isHeaderValue(value)) throw invalidSetting(name, "errors.header_value");
  if (type === "url") {
    const url = URL.parse(value);
    if (!url || !["https:", "http:"].includes(url.protocol)) {
      throw invalidSetting(name, "errors.alerts.url");
    }
    // An address that is not secret is shown, and kept in events and backups.
    if (!secret && (url.username || url.password)) {
      throw invalidSetting(name, "errors.templates.survey_url");
    }
  }
  if (choices && !choices.includes(value)) throw invalidSetting(name, "errors.unknown_type");
}

/** Checks what only one kind has. */
function validateKind(kind: TargetKind, settings: Record<string, string>): void {
  if (kind === "email") return validateMail(settings);
  if (kind !== "http") return;
  const { header = "", body, content_type = "" } = settings;
  if (header && (!HEADER.test(header) || OWN_HEADERS.includes(header.toLowerCase()))) {
    throw invalidSetting("header", "errors.header_name");
  }
  const problem = body ? templateProblem(body, content_type) : null;
  if (problem) throw invalidSetting("body", problem);
}

/** Returns the parts of a list that commas, spaces or line breaks separate. */
export const partsOf = (text = ""): string[] => text.split(/[\s,;]+/).filter((part) => part !== "");

function validateMail({ addresses, roles }: Record<string, string>): void {
  const list = partsOf(addresses);
  if (list.length === 0 && partsOf(roles).length === 0) {
    throw invalidSetting("addresses", "errors.required");
  }
  if (list.length > ADDRESSES_MAX || !list.every(isOneAddress)) {
    throw invalidSetting("addresses", "errors.alerts.addresses", { max: ADDRESSES_MAX });
  }
  if (!partsOf(roles).every((role) => roleSlugField.safeParse(role).success)) {
    throw invalidSetting("roles", "errors.unknown_type");
  }
}
