import { DeletePart } from "@/components/integrations/AskDelete.tsx";
import { define } from "@/lib/web/state.ts";
import { extractValuePages } from "@/routes/(_pages)/integration_parts.ts";

export const handler = extractValuePages.delete;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <DeletePart ui={ui} shell={shell} list="values" {...data} />
));
