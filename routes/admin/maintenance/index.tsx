import { page } from "fresh";
import { MaintenancePage } from "@/components/admin/MaintenancePage.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import {
  maintenanceForm,
  maintenanceVersion,
  type MaintenanceView,
} from "@/lib/maintenance/mode/schema.ts";
import { getMaintenance, setMaintenance } from "@/lib/maintenance/mode/service.ts";
import { localTime, momentOf } from "@/lib/triggers/schedules/zone.ts";
import { newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { type FormValues, readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state }) {
    const maintenance = await getMaintenance(requireAdmin(userScope(state)));
    const stored = newForm(valuesOf(maintenance, state.ui.timeZone));
    return page({ maintenance, form: restoredForm(state) ?? stored });
  },

  async POST(ctx) {
    const scope = requireAdmin(userScope(ctx.state));
    const values = await readForm(ctx.req);
    const parsed = parseValues(inUtc(values, ctx.state.ui.timeZone), maintenanceForm);
    const form = await saveForm(parsed, (value) => setMaintenance(scope, value));
    if (!form.ok) {
      const typed = { values, errors: form.errors };
      return page({ maintenance: await getMaintenance(scope), form: typed }, { status: 422 });
    }
    return seeOther(ctx, paths.adminMaintenance(), "flash.maintenance.saved");
  },
});

/** Maintenance that has begun keeps its time. */
function valuesOf({ state, message, begins, ends }: MaintenanceView, zone: string) {
  return {
    message,
    begins: state === "planned" && begins ? localTime(begins, zone) : "",
    ends: ends && localTime(ends, zone),
  };
}

/** Reads the times of a form, which are those of the reader's clock. */
function inUtc({ begins = "", ends = "", ...values }: FormValues, zone: string): FormValues {
  const utc = (time: string) => time && (momentOf(time, zone) ?? time);
  return { ...values, begins: utc(begins), ends: utc(ends) };
}

export default define.page<typeof handler>(({ data, state: { ui } }) => {
  const since = maintenanceVersion(data.maintenance);
  return (
    <div id="live" data-live={`${ui.href(paths.adminMaintenance("/events"))}?since=${since}`}>
      <MaintenancePage ui={ui} {...data} />
    </div>
  );
});
