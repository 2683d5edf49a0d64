import { page } from "fresh";
import { SettingsPage } from "@/components/admin/SettingsPage.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { define, userScope } from "@/lib/web/state.ts";
import { listSettings } from "@/lib/web/system/settings.ts";

export const handler = define.handlers({
  async GET({ state, url }) {
    const sections = await listSettings(requireAdmin(userScope(state)));
    return page({ sections, q: readTableState(url.searchParams).q });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <SettingsPage ui={ui} {...data} />
));
