import { escapeHtml, escapeXml, factLines } from "../text.ts";
import type { TargetMessage } from "../target_message.ts";
import { type HttpKind, signatureOf, WEBHOOK_URL, withoutMarkup } from "./kind.ts";

const JSON_TYPE = "application/json";

/** Any endpoint. Its body is JSON, or what its template makes of the message. */
export const http: HttpKind = {
  fields: [
    WEBHOOK_URL,
    { name: "method", choices: ["POST", "PUT"], fallback: "POST" },
    { name: "header" },
    { name: "header_value", secret: true, inHeader: true },
    { name: "signing_secret", secret: true },
    { name: "content_type", fallback: JSON_TYPE, inHeader: true },
    { name: "body", type: "area" },
  ],
  request(values, { message }) {
    const body = values.body
      ? fillTemplate(values.body, message, values.content_type)
      : JSON.stringify(bodyOf(message));
    const headers: Record<string, string> = { "Content-Type": values.content_type };
    if (values.header) headers[values.header] = values.header_value;
    Object.assign(headers, signatureOf(values.signing_secret, body));
    return { url: values.url, method: values.method === "PUT" ? "PUT" : "POST", headers, body };
  },
};

const bodyOf = (
  { event, title, mood, url, project, task, host, runner, drift, workflow_run, facts }:
    TargetMessage,
) => ({
  event,
  title,
  mood,
  url,
  project,
  task,
  ...host && { host },
  ...runner && { runner },
  ...drift && { drift },
  ...workflow_run && { workflow_run },
  facts: Object.fromEntries(facts.map(({ label, value }) => [label, value])),
});

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** Returns the values of the placeholders of a template. */
const placeholders = (message: TargetMessage): Record<string, string> => ({
  event: message.event,
  title: message.title,
  mood: message.mood,
  text: factLines(message),
  url: message.url ?? "",
  project: message.project?.name ?? "",
  template: message.task?.template_name ?? message.drift?.template_name ?? "",
  status: message.task?.status ?? "",
  task_id: String(message.task?.id ?? message.drift?.task_id ?? ""),
  host: message.host?.name ?? "",
  host_url: message.host?.url ?? "",
});

const PLACEHOLDERS = [
  "event",
  "title",
  "mood",
  "text",
  "url",
  "project",
  "template",
  "status",
  "task_id",
  "host",
  "host_url",
] as const;

const isJson = (contentType: string) => /[/+]json\b/i.test(contentType);
/** Types with texts in double quotes, as in JSON. */
const isQuoted = (contentType: string) => /json|yaml|javascript/i.test(contentType);

/**
 * Replaces `{{title}}` and the others. Their texts are escaped for the type, because plays choose
 * some of them: in JSON, YAML and JavaScript for double quotes, in XML and HTML as text, in
 * Markdown as plain text, and in forms as a value.
 */
function fillTemplate(template: string, message: TargetMessage, contentType: string): string {
  const values = placeholders(message);
  const escape = escapeFor(contentType);
  return template.replace(PLACEHOLDER, (_, name) => escape(values[name] ?? ""));
}

function escapeFor(contentType: string): (text: string) => string {
  if (isQuoted(contentType)) return (text) => JSON.stringify(text).slice(1, -1);
  if (/xml|html/i.test(contentType)) return escapeXml;
  if (/markdown/i.test(contentType)) return (text) => escapeHtml(withoutMarkup(text));
  if (/\/x-www-form-urlencoded\b/i.test(contentType)) {
    return (text) => encodeURIComponent(text.toWellFormed());
  }
  return (text) => text;
}

/** Returns the problem of a template: an unknown placeholder, or a body that is not JSON. */
export function templateProblem(template: string, contentType: string): string | null {
  const names: readonly string[] = PLACEHOLDERS;
  for (const [, name] of template.matchAll(PLACEHOLDER)) {
    if (!names.includes(name)) return "errors.alerts.placeholder";
  }
  if (!isJson(contentType || JSON_TYPE)) return null;
  try {
    // A text without quotes could be anything, but an id is a number.
    JSON.parse(template.replace(PLACEHOLDER, (_, name) => name === "task_id" ? "1" : "x"));
    return null;
  } catch {
    return "errors.alerts.not_json";
  }
}
