import { ApiDocs } from "@/components/docs/ApiDocs.tsx";
import { define } from "@/lib/deps.ts";
import { readDocument } from "@/lib/openapi/reading.ts";
import { openApiText } from "@/lib/openapi/service.ts";

export default define.page(({ state }) => (
  <ApiDocs ui={state.ui} document={readDocument(openApiText(state.deps))} />
));
