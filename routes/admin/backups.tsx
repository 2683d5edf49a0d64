import { page } from "fresh";
import { BackupsPage } from "@/components/admin/BackupsPage.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { operatorCommand } from "@/lib/base/machine/operator_command.ts";
import { readBackups } from "@/lib/maintenance/server_backup/overview.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state }) {
    return page(await readBackups(requireAdmin(userScope(state))));
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <BackupsPage ui={ui} {...data} command={operatorCommand("restore --check FILE")} />
));
