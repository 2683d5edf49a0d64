import { requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { endMaintenance } from "@/lib/maintenance/mode/service.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async POST(ctx) {
    await endMaintenance(requireAdmin(userScope(ctx.state)));
    return seeOther(ctx, paths.adminMaintenance(), "flash.maintenance.ended");
  },
});
