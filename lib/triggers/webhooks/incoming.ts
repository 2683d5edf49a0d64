import type { ExtractValue, Matcher } from "../integrations/rule_schemas.ts";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { isSameSecret } from "../../access/same_secret.ts";
import { hasMembers, isExactNumber, parseExact, scalarText } from "../../base/text/exact_json.ts";
import type { IntegrationRow } from "../integrations/schema.ts";

/** A webhook call, read once for all integrations. */
export interface Incoming {
  headers: Headers;
  body: Uint8Array;
  text: string;
  /** The body's JSON value; undefined if it is not JSON. */
  json: unknown;
}

export function readIncoming(headers: Headers, body: Uint8Array): Incoming {
  const text = new TextDecoder().decode(body);
  let json: { value: unknown } | null = null;
  return {
    headers,
    body,
    text,
    get json() {
      json ??= { value: parsePayload(payloadOf(headers, text)) };
      return json.value;
    },
  };
}

/** Returns the JSON text of a body. GitHub can also send it in the field "payload" of a form. */
function payloadOf(headers: Headers, text: string): string {
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  return (isForm ? new URLSearchParams(text).get("payload") : null) ?? text;
}

/** The value that a matcher or extract value reads; undefined if it is missing. */
function read(
  call: Incoming,
  source: "body" | "header",
  { body_data_type, key }: { body_data_type: string; key: string },
): unknown {
  if (source === "header") return call.headers.get(key) ?? undefined;
  return body_data_type === "json" ? jsonAtPath(call.json, key) : call.text;
}

/** Whether the call matches. A missing text equals and contains nothing. */
export function matchesCall(call: Incoming, matcher: Matcher): boolean {
  const value = read(call, matcher.match_type, matcher);
  const text = value === undefined ? undefined : jsonText(value);
  switch (matcher.method) {
    case "equals":
      return text === matcher.value;
    case "unequals":
      return text !== matcher.value;
    case "contains":
      return text?.includes(matcher.value) ?? false;
  }
}

/** The JSON value that an extract value reads. One that the call has as null is not set. */
export const readValue = (call: Incoming, value: ExtractValue): unknown =>
  read(call, value.value_source, value) ?? undefined;

/** Parses the JSON of a body. Returns undefined for invalid JSON. */
export function parsePayload(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined; // invalid, or nested deeper than any program writes
  }
}

/**
 * Returns the value at `path`. A path consists of names separated by dots, and numbers, with or
 * without brackets, for the items of arrays: "commits.[0].author.name". Undefined if there is none.
 */
export function jsonAtPath(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.replaceAll(/\.?\[(\d+)\]/g, ".$1").replace(/^\./, "").split(".")) {
    if (!hasMembers(found)) return undefined;
    // Only members that were sent: never an array's length, nor anything inherited.
    if (Array.isArray(found) ? !/^\d+$/.test(step) : !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

const plain = new Intl.NumberFormat("en", { useGrouping: false, maximumFractionDigits: 100 });

/** Returns a value of a call as text, with all digits of a number. */
export function jsonText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "number" && !isExactNumber(value)) return JSON.stringify(value);
  const text = scalarText(value);
  // 1.0 becomes 1, and 1e-7 becomes 0.0000001, but 12345678901234567890 must keep all its digits.
  if (/^-?\d+$/.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? plain.format(number) : text;
}

type Auth = Pick<IntegrationRow, "auth_method" | "auth_header">;

interface Signature {
  hash: "sha256" | "sha512";
  /** Header of a service; without one the integration names it. */
  header?: string;
}

/** Methods that sign the body with the hash's hex digits, after a prefix such as "sha256=". */
const SIGNATURES: Partial<Record<Auth["auth_method"], Signature>> = {
  github: { hash: "sha256", header: "X-Hub-Signature-256" },
  bitbucket: { hash: "sha256", header: "X-Hub-Signature" },
  hmac: { hash: "sha256" },
  "hmac-sha512": { hash: "sha512" },
};

/**
 * Whether a call proves that it knows `secret`, and for `basic` the `login` of the same key. Always
 * false without a secret or without a header to read. Comparisons take constant time.
 */
export function isAuthentic(
  { auth_method, auth_header }: Auth,
  secret: string | null,
  { headers, body }: { headers: Headers; body: Uint8Array },
  login = "",
): boolean {
  if (auth_method === "" || auth_method === "none") return true;
  const signature = SIGNATURES[auth_method];
  const name = auth_method === "basic" ? "Authorization" : signature?.header ?? auth_header;
  const given = name === "" ? null : headers.get(name);
  if (!secret || given === null) return false;
  if (auth_method === "basic") {
    const [, encoded = ""] = /^basic +(\S+)$/i.exec(given) ?? [];
    return isSameSecret(Buffer.from(encoded, "base64"), Buffer.from(`${login}:${secret}`));
  }
  // A header value has one byte per character.
  if (!signature) return isSameSecret(Buffer.from(given, "latin1"), Buffer.from(secret));
  return isSigned(given, signature, createHmac(signature.hash, secret).update(body).digest());
}

/** A service's own header always has the prefix. It is optional in a header chosen by the user. */
function isSigned(given: string, { hash, header }: Signature, expected: Buffer): boolean {
  const prefix = `${hash}=`;
  if (header && !given.startsWith(prefix)) return false;
  const digits = given.startsWith(prefix) ? given.slice(prefix.length) : given;
  return digits.length === expected.length * 2 && /^[0-9a-f]+$/i.test(digits) &&
    isSameSecret(Buffer.from(digits, "hex"), expected);
}
