import { DeleteRule } from "@/components/integrations/AskDelete.tsx";
import { define } from "@/lib/web/state.ts";
import { extractValuePages } from "@/routes/(_pages)/integration_rules.ts";

export const handler = extractValuePages.delete;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <DeleteRule ui={ui} shell={shell} list="values" {...data} />
));
