import { allOperations } from "./(_tables)/all.ts";
import { ApiDocs } from "@/components/docs/ApiDocs.tsx";
import { define } from "@/lib/web/state.ts";
import { readDocument } from "@/lib/web/api/openapi/reading.ts";
import { openApiText } from "@/lib/web/api/openapi/document.ts";

export default define.page(({ state }) => (
  <ApiDocs ui={state.ui} document={readDocument(openApiText(state.deps.config, allOperations))} />
));
