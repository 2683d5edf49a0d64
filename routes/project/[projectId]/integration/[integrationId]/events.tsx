import { withPermission } from "@/lib/access/scope.ts";
import { DeliveryRow } from "@/components/integrations/Deliveries.tsx";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { followDeliveries } from "@/lib/triggers/webhooks/deliveries.ts";
import { integrationService } from "@/lib/triggers/integrations/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";

/** Streams the calls that reach an integration. */
export const handler = define.handlers({
  async GET(ctx) {
    const { scope, ui } = ctx.state;
    const manager = withPermission(scope, "manage_triggers");
    // Read before the stream starts, because afterwards the response cannot be a 404.
    const integration = await integrationService.get(scope, pageId(ctx.params.integrationId));
    const follow = (gone: AbortSignal, since: string) =>
      followDeliveries(manager, integration.id, listNumber(0).parse(since) ?? 0, gone);
    return openStream(ctx, follow, {
      events(calls) {
        const rows = calls.map((call) => (
          <DeliveryRow key={call.id} ui={ui} integration={integration} call={call} />
        ));
        return htmlEvents(ui, rows, calls.at(-1)?.id);
      },
    });
  },
});
