import * as z from "zod";
import { operation } from "../access/operation.ts";
import { testResultSchema } from "./schema.ts";
import { sendTestAlert } from "./service.ts";

const test = {
  method: "POST",
  tag: "Alerts",
  access: "update_project",
  answer: z.array(testResultSchema),
  status: 200,
  errors: [409],
} as const;

export const alertOperations = [
  operation({
    ...test,
    id: "testAlerts",
    path: "/project/{projectId}/alerts/test",
    summary: "Send a test message to each alert target of the server's settings",
    details: "The email goes to the signed-in user.",
    run: ({ scope }) => sendTestAlert(scope),
  }),
  operation({
    ...test,
    id: "testNotifications",
    path: "/project/{projectId}/notifications/test",
    summary: "Send a test message to each alert target of the server's settings",
    details: "For clients that use this path. The email goes to the signed-in user.",
    run: ({ scope }) => sendTestAlert(scope),
  }),
];
