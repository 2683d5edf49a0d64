import { previewOperations } from "@/lib/previews/operations.ts";
import { getTaskPreview } from "@/lib/previews/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

const CHANGES_MAX = 200;

export const previews = bind(previewOperations, {
  get: ({ scope, ids, query: { limit, count, after } }) =>
    getTaskPreview(scope, ids.taskId, {
      after,
      limit: Math.min(limit ?? count ?? CHANGES_MAX, CHANGES_MAX),
    }),
});
