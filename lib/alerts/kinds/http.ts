import { createHmac } from "node:crypto";
import { factLines } from "../text.ts";
import type { TargetMessage } from "../target_message.ts";
import { type HttpKind, WEBHOOK_URL } from "./kind.ts";

const JSON_TYPE = "application/json";

/** Any endpoint. Its body is JSON, or what its template makes of the message. */
export const http: HttpKind = {
  fields: [
    WEBHOOK_URL,
    { name: "method", choices: ["POST", "PUT"], fallback: "POST" },
    { name: "header" },
    { name: "header_value", secret: true },
    { name: "signing_secret", secret: true },
    { name: "content_type", fallback: JSON_TYPE },
    { name: "body", type: "area" },
  ],
  request(values, { message }) {
    const body = values.body
      ? fillTemplate(values.body, message, values.content_type)
      : JSON.stringify(bodyOf(message));
    const headers: Record<string, string> = { "Content-Type": values.content_type };
    if (values.header) headers[values.header] = values.header_value;
    if (values.signing_secret) {
      const digest = createHmac("sha256", values.signing_secret).update(body).digest("hex");
      headers["X-Callboard-Signature"] = `sha256=${digest}`;
    }
    return { url: values.url, method: values.method === "PUT" ? "PUT" : "POST", headers, body };
  },
};

const bodyOf = (
  { event, title, mood, url, project, task, host, runner, workflow_run, facts }: TargetMessage,
) => ({
  event,
  title,
  mood,
  url,
  project,
  task,
  ...host && { host },
  ...runner && { runner },
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
  template: message.task?.template_name ?? "",
  status: message.task?.status ?? "",
  task_id: String(message.task?.id ?? ""),
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

/** Replaces `{{title}}` and the others. In JSON their texts are escaped, without quotes. */
function fillTemplate(template: string, message: TargetMessage, contentType: string): string {
  const values = placeholders(message);
  return template.replace(PLACEHOLDER, (_, name) => {
    const text = values[name] ?? "";
    return isJson(contentType) ? JSON.stringify(text).slice(1, -1) : text;
  });
}

/** Returns the problem of a template: an unknown placeholder, or a body that is not JSON. */
export function templateProblem(template: string, contentType: string): string | null {
  const names: readonly string[] = PLACEHOLDERS;
  for (const [, name] of template.matchAll(PLACEHOLDER)) {
    if (!names.includes(name)) return "errors.alerts.placeholder";
  }
  if (!isJson(contentType || JSON_TYPE)) return null;
  try {
    JSON.parse(template.replace(PLACEHOLDER, "1"));
    return null;
  } catch {
    return "errors.alerts.not_json";
  }
}
