import { page } from "fresh";
import { IdentityPage } from "@/components/admin/IdentityPage.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { getTaskIdentity, revokeIdentityKeys } from "@/lib/task_identity/service.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state }) {
    return page(await getTaskIdentity(requireAdmin(userScope(state))));
  },

  async POST(ctx) {
    await revokeIdentityKeys(requireAdmin(userScope(ctx.state)));
    return seeOther(ctx, paths.adminIdentity(), "flash.identity_keys.replaced");
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <IdentityPage ui={ui} {...data} />
));
