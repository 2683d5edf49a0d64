import { previewOperations } from "@/lib/previews/operations.ts";
import { getTaskPreview } from "@/lib/previews/service.ts";
import { Answer } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";

const CHANGES_MAX = 200;

export const previews = bind(previewOperations, {
  async get({ scope, ids, query: { limit, count, after } }) {
    const page = { after, limit: Math.min(limit ?? count ?? CHANGES_MAX, CHANGES_MAX) };
    const preview = await getTaskPreview(scope, ids.taskId, page);
    return new Answer(preview, {}, preview.next === null ? null : { after: preview.next });
  },
});
