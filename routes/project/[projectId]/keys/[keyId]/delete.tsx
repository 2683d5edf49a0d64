import { DeleteResource } from "@/components/resources/DeleteResource.tsx";
import { define } from "@/lib/web/state.ts";
import { deleteHandlers } from "@/routes/(_pages)/delete.ts";
import { keyService } from "@/lib/parts/keys/service.ts";

export const handler = deleteHandlers({
  noun: "keys",
  param: "keyId",
  get: keyService.get,
  remove: keyService.delete,
});

export default define.page<typeof handler>(({ data, state }) => (
  <DeleteResource ui={state.ui} shell={state.shell} noun="keys" {...data} />
));
