import { DeleteRule } from "@/components/integrations/AskDelete.tsx";
import { define } from "@/lib/web/state.ts";
import { matcherPages } from "@/routes/(_pages)/integration_rules.ts";

export const handler = matcherPages.delete;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <DeleteRule ui={ui} shell={shell} list="matchers" {...data} />
));
