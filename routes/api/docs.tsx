import { allOperations } from "@/lib/web/api/operations.ts";
import { ApiDocs } from "@/components/docs/ApiDocs.tsx";
import { Frame } from "@/components/shell/Frame.tsx";
import { define } from "@/lib/web/state.ts";
import { readDocument } from "@/lib/web/api/openapi/reading.ts";
import { frameOutside } from "@/routes/(_pages)/frame_outside.ts";

/** Documentation of the API for anyone, with the drawer for users who are signed in. */
export default define.page(async ({ state, ...request }) => {
  const { ui, deps, actor } = state;
  const document = readDocument(deps.config, allOperations);
  const docs = <ApiDocs ui={ui} document={document} isAdminPage={actor?.admin === true} />;
  if (!actor) return <main id="main">{docs}</main>;
  return <Frame {...await frameOutside(state, request)}>{docs}</Frame>;
});
