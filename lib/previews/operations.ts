import * as z from "zod";
import { operation } from "../access/operation.ts";
import { AFTER, listFilter, listSize } from "../base/lists/list_query.ts";
import { taskPreviewSchema } from "./schema.ts";
import { getTaskPreview } from "./service.ts";
import { Answer } from "../access/answer.ts";

const previewQuery = z.object({
  ...listSize,
  after: listFilter(z.string().regex(/^\d{1,6}\.\d{1,6}$/), "errors.invalid").describe(AFTER),
});

const CHANGES_MAX = 200;

export const previewOperations = [
  operation({
    id: "getTaskPreview",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/preview",
    tag: "Tasks",
    summary: "Get the preview of a task",
    details: "Returns what the preview predicts, and how the result differed.",
    access: "member",
    query: previewQuery,
    answer: taskPreviewSchema,
    async run({ scope, ids, query: { limit, count, after } }) {
      const page = { after, limit: Math.min(limit ?? count ?? CHANGES_MAX, CHANGES_MAX) };
      const preview = await getTaskPreview(scope, ids.taskId, page);
      return new Answer(preview, {}, preview.next === null ? null : { after: preview.next });
    },
  }),
];
