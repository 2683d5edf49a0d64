import * as z from "zod";
import { operation } from "../access/operation.ts";
import { listFilter, listSize } from "../base/lists/list_query.ts";
import { taskPreviewSchema } from "./schema.ts";

const previewQuery = z.object({
  ...listSize,
  after: listFilter(z.string().regex(/^\d{1,6}\.\d{1,6}$/), "errors.invalid"),
});

export const previewOperations = {
  get: operation({
    id: "getTaskPreview",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/preview",
    tag: "Tasks",
    summary: "Get the preview of a task",
    details: "Returns what the preview predicts, and how the result differed.",
    access: "member",
    query: previewQuery,
    answer: taskPreviewSchema,
  }),
};
