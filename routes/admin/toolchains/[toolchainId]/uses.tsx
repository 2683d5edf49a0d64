import { page } from "fresh";
import { serverUseGroups } from "@/components/toolchains/server_use_groups.ts";
import { Title } from "@/components/ui/Page.tsx";
import { References } from "@/components/ui/References.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { getServerToolchain, listServerUses } from "@/lib/resources/toolchains/server.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state, params }) {
    const scope = requireAdmin(userScope(state));
    const id = pageId(params.toolchainId);
    const [{ name }, uses] = await Promise.all([
      getServerToolchain(scope, id),
      listServerUses(scope, id),
    ]);
    return page({ name, uses });
  },
});

export default define.page<typeof handler>(({ data: { name, uses }, state: { ui } }) => {
  const title = ui.t("references.uses_of", { name });
  return (
    <>
      <Title ui={ui} parts={[title, ui.t("admin.title")]} />
      <References
        ui={ui}
        title={title}
        groups={serverUseGroups(ui, uses)}
        close={ui.href(paths.serverToolchains())}
      />
    </>
  );
});
