import { DeleteResource } from "@/components/resources/DeleteResource.tsx";
import { define } from "@/lib/deps.ts";
import { deleteHandlers } from "@/lib/http/delete_page.ts";
import { deleteKey, getKey } from "@/lib/keys/service.ts";

export const handler = deleteHandlers({
  noun: "keys",
  param: "keyId",
  get: getKey,
  remove: deleteKey,
});

export default define.page<typeof handler>(({ data, state }) => (
  <DeleteResource ui={state.ui} shell={state.shell} noun="keys" {...data} />
));
