import { AppError } from "@/lib/base/errors.ts";
import { answer, byMethod, type Call } from "@/lib/web/api.ts";
import { readBytes } from "@/lib/base/body.ts";
import { onlyMethods } from "@/lib/web/methods.ts";
import { webhookOperations } from "@/lib/triggers/webhooks/operations.ts";
import { receiveWebhook } from "@/lib/triggers/webhooks/service.ts";

const BODY_BYTES_MAX = 1024 * 1024;
const headers = { Allow: "GET, OPTIONS, POST" };

export const handler = onlyMethods({
  ...byMethod(
    answer(webhookOperations.call, receive),
    answer(webhookOperations.callByGet, receive),
  ),
  /** Opening an address starts its tasks; asking about it must not. */
  HEAD() {
    throw new AppError(405, "errors.method", {}, { headers });
  },
  OPTIONS: () => new Response(null, { status: 204, headers }),
});

async function receive({ deps, params, req, address }: Call<unknown, unknown>): Promise<Response> {
  const { status, error, answer } = await receiveWebhook(deps, {
    alias: params.alias,
    method: req.method,
    headers: req.headers,
    address,
    readBody: () => readBytes(req, BODY_BYTES_MAX),
  });
  const body = error === null ? answer : { error, ...answer };
  return Response.json(body, { status, headers: startedHeaders(answer.tasks[0]) });
}

/** What clients read instead of the body: the first task that was started. */
function startedHeaders(
  task?: { id: number; template_id: number; project_id: number; integration_id: number },
): Record<string, string> {
  if (!task) return {};
  return {
    "X-Semaphore-Task-ID": String(task.id),
    "X-Semaphore-Template-ID": String(task.template_id),
    "X-Semaphore-Project-ID": String(task.project_id),
    "X-Semaphore-Integration-ID": String(task.integration_id),
  };
}
