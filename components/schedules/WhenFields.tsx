import { ScheduleTime } from "./ScheduleCell.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { Checkbox, Segments, Select } from "@/components/ui/forms/Choice.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { zoneGroups } from "@/components/ui/forms/zone_groups.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { PRESETS } from "@/lib/triggers/schedules/presets.ts";
import { serverTimeZone } from "@/lib/triggers/schedules/zone.ts";
import type { FormState } from "@/lib/web/forms/form.ts";

/** The next runs of the schedule as typed. */
export interface UpcomingRuns {
  /** Description in words; null if there is none. */
  words: string | null;
  /** The next runs, in RFC 3339. */
  runs: string[];
  /** Time zone of the times. */
  zone: string;
}

export const timeLabels = (ui: Ui): Record<string, string> =>
  Object.fromEntries(TIME_FIELDS.map((name) => [name, ui.t(`schedules.${name}`)]));

/** The button that previews the typed times, and stores nothing. */
export const PREVIEW = "preview";

/** Times of the presets, which have errors of their own. */
export const TIME_FIELDS = ["on_weekday", "on_day", "at_time", "at_minute"] as const;

/** Fields that affect the next runs of a repeated schedule. */
const REPEATED_BY = ["cron_format", "every", ...TIME_FIELDS];
/** Further fields of a schedule that affect them, or the visibility of other fields. */
const LOOKED_AT = ["template_id", "type", "timezone", "offset_days", "run_at"];

interface TimesProps {
  ui: Ui;
  form: FormState;
}

interface WhenFieldsProps extends TimesProps {
  upcoming: UpcomingRuns | null;
}

/** Times of a schedule, repeated or once, with the next runs while typing. */
export function WhenFields({ ui, form, upcoming }: WhenFieldsProps) {
  const common = { ui, form };
  const server = ui.t("schedules.server_zone", { zone: serverTimeZone() });
  return (
    <>
      <Segments
        {...common}
        name="type"
        label={ui.t("schedules.when")}
        options={[
          { value: "", label: ui.t("schedules.again"), icon: "rerun" },
          { value: "run_at", label: ui.t("schedules.once"), icon: "waiting" },
        ]}
      />
      <RepeatFields {...common} />
      <Field
        {...common}
        class="for-once"
        name="run_at"
        type="datetime-local"
        label={ui.t("schedules.run_at")}
      />
      <Select
        {...common}
        name="timezone"
        label={ui.t("schedules.timezone")}
        blank={server}
        options={zoneGroups(ui, form.values.timezone ?? "")}
        isFixed
      />
      <Upcoming ui={ui} upcoming={upcoming} by={LOOKED_AT} />
      <Checkbox
        {...common}
        class="for-once"
        name="delete_after_run"
        label={ui.t("schedules.delete_after_run")}
      />
    </>
  );
}

/** How often a schedule repeats: presets with their times, and the cron format for all others. */
export const RepeatFields = ({ blank, ...common }: TimesProps & Pick<PresetProps, "blank">) => (
  <>
    <PresetFields {...common} blank={blank} />
    <Field
      {...common}
      class="for-cron"
      name="cron_format"
      label={common.ui.t("schedules.cron")}
      placeholder={common.ui.t("schedules.cron_example")}
      hint={common.ui.t("schedules.cron_form_hint")}
      autocomplete="off"
    />
  </>
);

interface UpcomingProps extends Pick<WhenFieldsProps, "ui" | "upcoming"> {
  /** Names of further fields that affect the runs. */
  by?: string[];
  /** Position that the page returns to without a script. */
  formaction?: string;
}

/** The next runs, and the button that shows them; a script presses it when a field changes. */
export const Upcoming = ({ ui, upcoming, by = [], formaction }: UpcomingProps) => (
  <div id="schedule-preview" class="schedule-preview">
    <div role="status">
      {upcoming
        ? <Times ui={ui} upcoming={upcoming} />
        : <span class="text-muted">{ui.t("schedules.no_preview")}</span>}
    </div>
    <Button
      name={PREVIEW}
      value="true"
      class="no-script mt-2"
      formNoValidate
      formaction={formaction}
      data-stay
      data-on={[...REPEATED_BY, ...by].join(" ")}
    >
      {ui.t("schedules.preview")}
    </Button>
  </div>
);

/** A Sunday, from which weekdays are named. */
const SUNDAY = Date.UTC(2024, 0, 7);
const DAY_MS = 24 * 3_600_000;
/** The order of weekdays in a list. */
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0];

interface PresetProps extends TimesProps {
  /** Label for no schedule, if that can be chosen. */
  blank?: string;
}

/** How often a schedule repeats, and when. Style rules hide the parts that the choice has not. */
function PresetFields({ ui, form, blank }: PresetProps) {
  const field = (name: string) => ({ ui, form, name, label: ui.t(`schedules.${name}`) });
  const { format } = new Intl.DateTimeFormat(ui.locale, { weekday: "long", timeZone: "UTC" });
  return (
    <div class="for-cron schedule-times">
      <input type="hidden" name="cron_shown" value={form.values.cron_shown} />
      <Select
        {...field("every")}
        label={ui.t("schedules.frequency")}
        blank={blank}
        options={[...PRESETS, "custom"].map((value) => ({
          value,
          label: ui.t(`schedules.presets.${value}`),
        }))}
      />
      <Select
        {...field("on_weekday")}
        class="of-weekly"
        options={WEEKDAYS.map((value) => ({ value, label: format(SUNDAY + value * DAY_MS) }))}
      />
      <Field {...field("on_day")} class="of-monthly" type="number" min={1} max={31} />
      <Field {...field("at_time")} class="of-day" type="time" />
      <Field {...field("at_minute")} class="of-hourly" type="number" min={0} max={59} />
    </div>
  );
}

function Times({ ui, upcoming: { words, runs, zone } }: { ui: Ui; upcoming: UpcomingRuns }) {
  return (
    <>
      {words && <strong>{words}</strong>}
      {runs.length === 0 ? <p class="m-0">{ui.t("schedules.never_again")}</p> : (
        <ol>
          {runs.map((at) => (
            <li>
              <ScheduleTime ui={ui} at={at} zone={zone} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
