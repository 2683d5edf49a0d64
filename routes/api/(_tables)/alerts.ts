import { alertOperations } from "@/lib/telling/alerts/operations.ts";
import { sendTestAlert } from "@/lib/telling/alerts/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const alerts = bind(alertOperations, {
  test: ({ scope }) => sendTestAlert(scope),
  testNotifications: ({ scope }) => sendTestAlert(scope),
});
