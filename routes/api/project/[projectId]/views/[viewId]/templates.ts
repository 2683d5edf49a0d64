import { answer, api } from "@/lib/web/api.ts";
import { listTemplates } from "@/lib/templates/service.ts";
import { viewOperations } from "@/lib/templates/views/operations.ts";

export const handler = api(
  answer(
    viewOperations.listTemplates,
    ({ deps, actor, ids, url }) =>
      listTemplates(deps, actor, ids.projectId, { viewId: ids.viewId, sort: url.searchParams }),
  ),
);
