import { MaintenancePage } from "@/components/admin/MaintenancePage.tsx";
import { paths } from "@/lib/base/paths.ts";
import {
  maintenanceForm,
  maintenanceVersion,
  type MaintenanceView,
} from "@/lib/maintenance/mode/schema.ts";
import { getMaintenance, setMaintenance } from "@/lib/maintenance/mode/service.ts";
import { localTime, momentOf } from "@/lib/triggers/schedules/zone.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asAdmin } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asAdmin,
  find: async (scope) => ({ maintenance: await getMaintenance(scope) }),
  shown: ({ maintenance }, { state }) => newForm(valuesOf(maintenance, state.ui.timeZone)),
  parse: (typed, _found, { state }) =>
    parseValues(inUtc(typed, state.ui.timeZone), maintenanceForm),
  save: ({ scope, value }) => setMaintenance(scope, value),
  next: () => [paths.adminMaintenance(), "flash.maintenance.saved"],
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
