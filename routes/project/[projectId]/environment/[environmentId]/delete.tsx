import { DeleteResource } from "@/components/resources/DeleteResource.tsx";
import { define } from "@/lib/web/state.ts";
import { deleteHandlers } from "@/routes/(_pages)/delete.ts";
import { environmentService } from "@/lib/parts/environments/service.ts";

export const handler = deleteHandlers({
  noun: "environments",
  param: "environmentId",
  get: environmentService.get,
  remove: environmentService.delete,
});

export default define.page<typeof handler>(({ data, state }) => (
  <DeleteResource ui={state.ui} shell={state.shell} noun="environments" {...data} />
));
