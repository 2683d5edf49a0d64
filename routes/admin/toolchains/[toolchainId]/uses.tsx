import { page } from "fresh";
import { ServerToolchainUses } from "@/components/toolchains/ServerToolchainUses.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
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

export default define.page<typeof handler>(({ data: { name, uses }, state: { ui } }) => (
  <ServerToolchainUses ui={ui} title={ui.t("references.uses_of", { name })} uses={uses} />
));
