import { page } from "fresh";
import { DeliveryPage } from "@/components/integrations/DeliveryPage.tsx";
import { define, signedIn } from "@/lib/web/state.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { getIntegration } from "@/lib/triggers/integrations/service.ts";
import { getDelivery } from "@/lib/triggers/webhooks/service.ts";

export const handler = define.handlers({
  async GET({ state, params }) {
    const { deps, shell } = state;
    const id = pageId(params.integrationId);
    const place = [deps, signedIn(state), shell.project.id, id] as const;
    const [integration, delivery] = await Promise.all([
      getIntegration(...place),
      getDelivery(...place, pageId(params.deliveryId)),
    ]);
    return page({ integration, delivery });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <DeliveryPage ui={ui} shell={shell} {...data} />
));
