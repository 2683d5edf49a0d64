import type { FormState } from "../../lib/web/forms/form.ts";
import { paths } from "../../lib/base/paths.ts";
import { timeZones } from "../../lib/i18n/time_zone.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Select } from "../ui/Choice.tsx";
import { Form } from "../ui/Form.tsx";

/** Time zone in which times are shown. */
export function TimezoneForm({ ui, form }: { ui: Ui; form: FormState }) {
  const labels = { timezone: ui.t("account.timezone") };
  return (
    <Form
      ui={ui}
      form={form}
      action={ui.href(paths.accountTimezone())}
      save={ui.t("actions.save")}
      labels={labels}
    >
      <Select
        ui={ui}
        form={form}
        name="timezone"
        label={labels.timezone}
        blank={ui.t("account.timezone_browser")}
        options={timeZones().map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
        hint={ui.t("account.timezone_hint", { zone: ui.timeZone })}
      />
    </Form>
  );
}
