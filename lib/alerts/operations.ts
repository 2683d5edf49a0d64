import { z } from "zod";
import { operation } from "../http/operation.ts";
import { testResultSchema } from "./schema.ts";

export const alertOperations = {
  test: operation({
    id: "testAlerts",
    method: "POST",
    path: "/project/{projectId}/alerts/test",
    tag: "Alerts",
    summary: "Send a test message by each channel that is set up; mail goes to oneself",
    access: "update_project",
    answer: z.array(testResultSchema),
    status: 200,
    errors: [409],
  }),
};
