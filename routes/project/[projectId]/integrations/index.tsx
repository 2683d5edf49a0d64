import { page } from "fresh";
import { IntegrationsPage } from "@/components/integrations/IntegrationsPage.tsx";
import { define } from "@/lib/web/state.ts";
import { loadIntegrations } from "@/routes/(_pages)/integrations/integrations.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";

export const handler = define.handlers({
  async GET({ state, url }) {
    const list = await loadIntegrations(state, url.origin);
    return page({ ...list, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <IntegrationsPage ui={ui} shell={shell} {...data} />
));
