import { z } from "zod";
import { operation } from "../access/operation.ts";
import { listSize } from "../base/list_query.ts";
import { taskPreviewSchema } from "./schema.ts";

const previewQuery = z.object({
  ...listSize,
  after: z.string().max(20, "errors.too_long").optional(),
});

export const previewOperations = {
  get: operation({
    id: "getTaskPreview",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/preview",
    tag: "Tasks",
    summary: "What a task's preview predicts, and how what was carried out differed",
    access: "member",
    query: previewQuery,
    answer: taskPreviewSchema,
  }),
};
