import { DeleteResource } from "@/components/resources/DeleteResource.tsx";
import { define } from "@/lib/web/state.ts";
import { deleteHandlers } from "@/routes/(_pages)/delete.ts";
import { repositoryService } from "@/lib/parts/repositories/service.ts";

export const handler = deleteHandlers({
  noun: "repositories",
  param: "repositoryId",
  get: repositoryService.get,
  remove: repositoryService.delete,
});

export default define.page<typeof handler>(({ data, state }) => (
  <DeleteResource ui={state.ui} shell={state.shell} noun="repositories" {...data} />
));
