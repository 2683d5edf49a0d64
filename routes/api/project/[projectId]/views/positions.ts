import { answer, api } from "@/lib/http/api.ts";
import { viewOperations } from "@/lib/views/operations.ts";
import { moveViews } from "@/lib/views/service.ts";

export const handler = api(
  answer(
    viewOperations.move,
    ({ deps, actor, ids, body }) => moveViews(deps, actor, ids.projectId, body),
  ),
);
