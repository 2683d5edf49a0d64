import { page } from "fresh";
import { HealthPage } from "@/components/admin/HealthPage.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { operatorCommand } from "@/lib/base/machine/operator_command.ts";
import { paths } from "@/lib/base/paths.ts";
import { checkServer } from "@/lib/monitoring/checks/doctor.ts";
import { readRemoval } from "@/lib/maintenance/retention/progress.ts";
import { readServerState } from "@/lib/monitoring/health/server_state.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state }) {
    const scope = requireAdmin(userScope(state));
    return page({ server: await readServerState(scope), removal: readRemoval(scope) });
  },

  /** Runs the thorough checks, and shows the page again when all have ended. */
  async POST(ctx) {
    await checkServer(requireAdmin(userScope(ctx.state)));
    return ctx.redirect(ctx.state.ui.href(`${paths.adminHealth()}#checks`), 303);
  },
});

export default define.page<typeof handler>(({ data, state: { ui, deps } }) => (
  <HealthPage
    ui={ui}
    {...data}
    version={deps.config.version}
    ansible={deps.ansibleVersion}
    backupCommand={operatorCommand("backup --to FILE")}
  />
));
