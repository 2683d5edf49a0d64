import { withPermission } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { DeliveryPage } from "@/components/integrations/DeliveryPage.tsx";
import { define } from "@/lib/web/state.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { integrationService } from "@/lib/triggers/integrations/service.ts";
import { getDelivery } from "@/lib/triggers/webhooks/deliveries.ts";

export const handler = define.handlers({
  async GET({ state, params }) {
    const scope = withPermission(state.scope, "manage_triggers");
    const id = pageId(params.integrationId);
    const [integration, delivery] = await Promise.all([
      integrationService.get(scope, id),
      getDelivery(scope, id, pageId(params.deliveryId)),
    ]);
    return page({ integration, delivery });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <DeliveryPage ui={ui} shell={shell} {...data} />
));
