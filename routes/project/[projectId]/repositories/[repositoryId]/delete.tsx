import { DeleteResource } from "@/components/resources/DeleteResource.tsx";
import { define } from "@/lib/deps.ts";
import { deleteHandlers } from "@/lib/http/delete_page.ts";
import { deleteRepository, getRepository } from "@/lib/repositories/service.ts";

export const handler = deleteHandlers({
  noun: "repositories",
  param: "repositoryId",
  get: getRepository,
  remove: deleteRepository,
});

export default define.page<typeof handler>(({ data, state }) => (
  <DeleteResource ui={state.ui} shell={state.shell} noun="repositories" {...data} />
));
