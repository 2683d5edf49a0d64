import { requireAdmin } from "@/lib/access/scope.ts";
import { followMaintenance } from "@/lib/maintenance/mode/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { define, userScope } from "@/lib/web/state.ts";

/** Reports changes of the maintenance and of the number of running tasks. */
export const handler = define.handlers({
  GET(ctx) {
    const scope = requireAdmin(userScope(ctx.state));
    return openStream(ctx, (gone, since) => followMaintenance(scope, since, gone));
  },
});
