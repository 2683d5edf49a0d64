import { page } from "fresh";
import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { NewServerToolchain, ServerToolchains } from "@/components/toolchains/ServerToolchains.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { listServerToolchains, listUserProjects } from "@/lib/resources/toolchains/server.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state, url }) {
    const scope = requireAdmin(userScope(state));
    const [rows, users] = await Promise.all([
      listServerToolchains(scope),
      listUserProjects(scope),
    ]);
    return page({ rows, users, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <>
    <AdminHeader
      ui={ui}
      title={ui.t("sections.toolchains")}
      actions={<NewServerToolchain ui={ui} />}
    />
    {data.rows.length > 0 && <p class="text-muted">{ui.t("resources.toolchains.about")}</p>}
    <ServerToolchains ui={ui} {...data} />
  </>
));
