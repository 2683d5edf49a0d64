import { page } from "fresh";
import { SettingsPage } from "@/components/admin/SettingsPage.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { define, userScope } from "@/lib/web/state.ts";
import { listSettings } from "@/lib/web/system/settings.ts";

export const handler = define.handlers({
  GET: async ({ state }) => page({ sections: await listSettings(requireAdmin(userScope(state))) }),
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <SettingsPage ui={ui} sections={data.sections} />
));
