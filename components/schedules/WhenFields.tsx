import { ScheduleTime } from "./ScheduleCell.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { Checkbox, Segments, Select } from "@/components/ui/Choice.tsx";
import { Field } from "@/components/ui/Field.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { PRESETS } from "@/lib/triggers/schedules/presets.ts";
import { serverTimeZone } from "@/lib/triggers/schedules/zone.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { timeZones } from "@/lib/i18n/time_zone.ts";

/** The next runs of the schedule as typed. */
export interface UpcomingRuns {
  /** Description in words; null if there is none. */
  words: string | null;
  /** The next runs, in RFC 3339. */
  runs: string[];
  /** Time zone of the times. */
  zone: string;
}

/** The button that previews the typed times, and stores nothing. */
export const PREVIEW = "preview";

/** Fields that affect the preview or the visibility of other fields. */
const LOOKED_AT = [
  ...["template_id", "type", "cron_format", "timezone", "run_at"],
  ...["every", "at_minute", "at_time", "on_weekday", "on_day"],
];

interface WhenFieldsProps {
  ui: Ui;
  form: FormState;
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
      <PresetFields {...common} />
      <Field
        {...common}
        class="for-cron"
        name="cron_format"
        label={ui.t("schedules.cron")}
        placeholder={ui.t("schedules.cron_example")}
        hint={ui.t("schedules.cron_form_hint")}
        maxLength={200}
        autocomplete="off"
      />
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
      />
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
          data-stay
          data-on={LOOKED_AT.join(" ")}
        >
          {ui.t("schedules.preview")}
        </Button>
      </div>
      <Checkbox
        {...common}
        class="for-once"
        name="delete_after_run"
        label={ui.t("schedules.delete_after_run")}
      />
    </>
  );
}

/** A Sunday, from which weekdays are named. */
const SUNDAY = Date.UTC(2024, 0, 7);
const DAY_MS = 24 * 3_600_000;
/** The order of weekdays in a list. */
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0];

/** How often a schedule repeats, and when. Style rules hide the parts that the choice has not. */
function PresetFields({ ui, form }: Pick<WhenFieldsProps, "ui" | "form">) {
  const field = (name: string) => ({ ui, form, name, label: ui.t(`schedules.${name}`) });
  const { format } = new Intl.DateTimeFormat(ui.locale, { weekday: "long", timeZone: "UTC" });
  return (
    <div class="for-cron schedule-times">
      <input type="hidden" name="cron_shown" value={form.values.cron_shown} />
      <Select
        {...field("every")}
        label={ui.t("schedules.frequency")}
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

/**
 * Returns the time zones grouped by their part of the world, so that a city is found by its first
 * letters. Includes `chosen` even if it is an alias of another zone.
 */
function zoneGroups(ui: Ui, chosen: string) {
  const all = timeZones();
  const zones = chosen === "" || all.includes(chosen) ? all : [chosen, ...all];
  const groups = Map.groupBy(zones, (zone) => zone.includes("/") ? zone.split("/", 1)[0] : "");
  return [...groups].map(([area, names]) => ({
    label: area || ui.t("schedules.no_area"),
    options: names.map((zone) => ({
      value: zone,
      label: zone.replace(`${area}/`, "").replaceAll("_", " "),
    })),
  }));
}
