import { alertOperations } from "@/lib/alerts/operations.ts";
import { sendTestAlert } from "@/lib/alerts/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const alerts = bind(alertOperations, {
  test: ({ scope }) => sendTestAlert(scope),
  testNotifications: ({ scope }) => sendTestAlert(scope),
});
