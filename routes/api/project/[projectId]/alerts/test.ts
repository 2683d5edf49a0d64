import { alertOperations } from "@/lib/telling/alerts/operations.ts";
import { sendTestAlert } from "@/lib/telling/alerts/service.ts";
import { answer, api } from "@/lib/web/api.ts";

export const handler = api(
  answer(alertOperations.test, ({ deps, actor, ids }) => sendTestAlert(deps, actor, ids.projectId)),
);
