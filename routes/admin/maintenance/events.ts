import { requireAdmin } from "@/lib/access/scope.ts";
import { followMaintenance } from "@/lib/maintenance/mode/service.ts";
import { openStaleStream } from "@/lib/web/event_stream.ts";
import { define, userScope } from "@/lib/web/state.ts";

/** Reports changes of the maintenance and of the number of running tasks. */
export const handler = define.handlers({
  GET({ state, req, url }) {
    const scope = requireAdmin(userScope(state));
    const asked = { headers: req.headers, url };
    return openStaleStream(state, asked, (since, gone) => followMaintenance(scope, since, gone));
  },
});
