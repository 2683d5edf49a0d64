import { page } from "fresh";
import { HealthPage } from "@/components/admin/HealthPage.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { readServerState } from "@/lib/monitoring/health/server_state.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: async ({ state }) => page(await readServerState(requireAdmin(userScope(state)))),
});

export default define.page<typeof handler>(({ data, state: { ui, deps } }) => (
  <HealthPage
    ui={ui}
    server={data}
    version={deps.config.version}
    ansible={deps.ansibleVersion}
  />
));
