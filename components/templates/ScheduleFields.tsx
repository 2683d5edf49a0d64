import { ScheduleCell } from "@/components/schedules/ScheduleCell.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { type Option, Select } from "@/components/ui/Choice.tsx";
import { Field } from "@/components/ui/Field.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";

interface ScheduleFieldsProps {
  ui: Ui;
  form: FormState;
  repositories: Option[];
  /** Schedules that these fields cannot represent. They are listed instead. */
  untyped: ScheduleView[];
}

/** Schedule of a template, or a note that other schedules exist. */
export function ScheduleFields({ ui, form, repositories, untyped }: ScheduleFieldsProps) {
  if (untyped.length > 0) {
    return (
      <Alert title={ui.t("schedules.title")}>
        <p>{ui.t("schedules.untyped", { count: untyped.length })}</p>
        <ul class="m-0 mt-1 pl-5">
          {untyped.map((schedule) => (
            <li>
              <ScheduleCell
                ui={ui}
                schedule={schedule}
                href={ui.href(paths.schedule(schedule.project_id, schedule.id))}
              />
            </li>
          ))}
        </ul>
      </Alert>
    );
  }
  return (
    <>
      <Field
        ui={ui}
        form={form}
        name="cron_format"
        label={ui.t("schedules.cron")}
        placeholder={ui.t("schedules.cron_example")}
        hint={ui.t("schedules.cron_hint")}
        maxLength={200}
      />
      <Select
        ui={ui}
        form={form}
        name="cron_repository_id"
        label={ui.t("schedules.new_commits")}
        blank={ui.t("schedules.every_time")}
        options={repositories}
      />
    </>
  );
}
