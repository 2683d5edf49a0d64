import type { AlertSettings } from "../base/alert_settings.ts";
import { NOT_SET_UP, type SendResult } from "./channel.ts";
import type { RunnerCall } from "./outbox.ts";
import { postSigned } from "./post_json.ts";

/** Posts that a task waits for a runner to the address that the administrator configured. */
export function callForRunner(
  { runnerWebhookUrl, runnerWebhookSecret }: AlertSettings,
  { project_id, task_id, template_id, labels }: RunnerCall,
): Promise<SendResult> {
  if (runnerWebhookUrl === null) return Promise.resolve(NOT_SET_UP);
  const body = { action: "wanted", project_id, task_id, template_id, labels };
  return postSigned(runnerWebhookUrl, runnerWebhookSecret, body);
}
