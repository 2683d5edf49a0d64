import { answer, api } from "@/lib/web/api.ts";
import { viewOperations } from "@/lib/templates/views/operations.ts";
import { deleteView, getView, updateView } from "@/lib/templates/views/service.ts";

export const handler = api(
  answer(
    viewOperations.get,
    ({ deps, actor, ids }) => getView(deps, actor, ids.projectId, ids.viewId),
  ),
  answer(
    viewOperations.update,
    ({ deps, actor, ids, body }) => updateView(deps, actor, ids.projectId, ids.viewId, body),
  ),
  answer(
    viewOperations.delete,
    ({ deps, actor, ids }) => deleteView(deps, actor, ids.projectId, ids.viewId),
  ),
);
