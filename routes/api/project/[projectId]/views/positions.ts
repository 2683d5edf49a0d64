import { answer, api } from "@/lib/web/api.ts";
import { viewOperations } from "@/lib/templates/views/operations.ts";
import { moveViews } from "@/lib/templates/views/service.ts";

export const handler = api(
  answer(
    viewOperations.move,
    ({ deps, actor, ids, body }) => moveViews(deps, actor, ids.projectId, body),
  ),
);
