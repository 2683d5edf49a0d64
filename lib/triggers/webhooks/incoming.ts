import type { ExtractValue, Matcher } from "../integrations/part_schemas.ts";
import { parseExact, valueAtPath } from "./json_path.ts";

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
      json ??= { value: parseExact(payloadOf(headers, text)) };
      return json.value;
    },
  };
}

/** Returns the JSON text of a body. GitHub can also send it in the field "payload" of a form. */
function payloadOf(headers: Headers, text: string): string {
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  return (isForm ? new URLSearchParams(text).get("payload") : null) ?? text;
}

/** The text that a matcher or extract value reads; undefined if it is missing. */
function read(
  call: Incoming,
  source: "body" | "header",
  { body_data_type, key }: { body_data_type: string; key: string },
): string | undefined {
  if (source === "header") return call.headers.get(key) ?? undefined;
  return body_data_type === "json" ? valueAtPath(call.json, key) : call.text;
}

/** Whether the call matches. A missing text equals and contains nothing. */
export function matchesCall(call: Incoming, matcher: Matcher): boolean {
  const text = read(call, matcher.match_type, matcher);
  switch (matcher.method) {
    case "equals":
      return text === matcher.value;
    case "unequals":
      return text !== matcher.value;
    case "contains":
      return text?.includes(matcher.value) ?? false;
  }
}

/** The variables extracted from a call. A missing text sets none. */
export function extract(call: Incoming, values: ExtractValue[]): Map<string, string> {
  const variables = new Map<string, string>();
  for (const value of values) {
    const text = read(call, value.value_source, value);
    if (text !== undefined) variables.set(value.variable, text);
  }
  return variables;
}
