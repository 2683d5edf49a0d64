import { z } from "zod";
import { operation } from "../access/operation.ts";
import { testResultSchema } from "./schema.ts";

const test = {
  method: "POST",
  tag: "Alerts",
  access: "update_project",
  answer: z.array(testResultSchema),
  status: 200,
  errors: [409],
} as const;

export const alertOperations = {
  test: operation({
    ...test,
    id: "testAlerts",
    path: "/project/{projectId}/alerts/test",
    summary: "Send a test message by each channel that is set up; mail goes to oneself",
  }),
  testNotifications: operation({
    ...test,
    id: "testNotifications",
    path: "/project/{projectId}/notifications/test",
    summary: "The same by the name that other clients know",
  }),
};
