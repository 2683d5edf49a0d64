import { page } from "fresh";
import { IntegrationsPage } from "@/components/integrations/IntegrationsPage.tsx";
import { define } from "@/lib/web/state.ts";
import { loadIntegrations } from "@/routes/(_pages)/integrations.ts";
import { readSort } from "@/lib/triggers/integrations/schema.ts";

export const handler = define.handlers({
  async GET({ state, url }) {
    const sort = readSort(url.searchParams);
    return page({ ...await loadIntegrations(state, url.origin, sort), sort });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <IntegrationsPage ui={ui} shell={shell} {...data} />
));
