import type { AlertSettings } from "../base/alert_settings.ts";
import { signedPost } from "./kinds/webhook.ts";
import type { RunnerCall } from "./outbox.ts";
import { sendRequest } from "./send_request.ts";
import { NOT_SET_UP, type SendResult } from "./send_result.ts";

/** Posts that a task waits for a runner to the address that the administrator configured. */
export function callForRunner(
  { runnerWebhookUrl: url, runnerWebhookSecret: secret }: AlertSettings,
  { project_id, task_id, template_id, labels }: RunnerCall,
): Promise<SendResult> {
  if (url === null) return Promise.resolve(NOT_SET_UP);
  const body = { action: "wanted", project_id, task_id, template_id, labels };
  return sendRequest(signedPost(url, secret, body), { secrets: [url] });
}
