import { answer, api } from "@/lib/web/api.ts";
import { viewOperations } from "@/lib/templates/views/operations.ts";
import { createView, listViews } from "@/lib/templates/views/service.ts";

export const handler = api(
  answer(viewOperations.list, ({ deps, actor, ids }) => listViews(deps, actor, ids.projectId)),
  answer(
    viewOperations.create,
    ({ deps, actor, ids, body }) => createView(deps, actor, ids.projectId, body),
  ),
);
