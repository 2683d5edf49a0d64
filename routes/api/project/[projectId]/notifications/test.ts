import { alertOperations } from "@/lib/alerts/operations.ts";
import { sendTestAlert } from "@/lib/alerts/service.ts";
import { answer, api } from "@/lib/http/api.ts";

export const handler = api(
  answer(
    alertOperations.testNotifications,
    ({ deps, actor, ids }) => sendTestAlert(deps, actor, ids.projectId),
  ),
);
