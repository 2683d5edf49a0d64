import {
  cronPreset,
  type Preset,
  presetCron,
  PRESETS,
  type PresetTimes,
  USUAL_TIMES,
  wrongFields,
} from "@/lib/triggers/schedules/presets.ts";
import type { FormErrors } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

/** Fields that say the same as the cron format, and the format that they were filled in for. */
const FIELDS = ["every", "at_minute", "at_time", "on_weekday", "on_day", "cron_shown"];
const FIELD_OF = {
  minute: "at_time",
  hour: "at_time",
  weekday: "on_weekday",
  day: "on_day",
} as const;

interface TypedTimes {
  /** Values of the form, with a cron format and without the other fields for times. */
  values: FormValues;
  errors: FormErrors;
}

/**
 * Returns the cron format that was typed, or else the one that the changed fields stand for. The
 * text wins, because it can say more.
 */
export function typedTimes(typed: FormValues): TypedTimes {
  const isOther = ([name]: [string, string]) => !FIELDS.includes(name);
  const values = Object.fromEntries(Object.entries(typed).filter(isOther));
  const { every = "custom", cron_format = "", cron_shown = "" } = typed;
  if (typed.type === "run_at") return { values, errors: {} };
  if (cron_format.trim() !== cron_shown.trim()) return { values, errors: {} };
  if (every === "") return { values: { ...values, cron_format: "" }, errors: {} };
  if (!isPreset(every)) return { values, errors: {} };
  const times = timesIn(every, typed);
  const wrong = wrongFields(times).map((name) => every === "hourly" ? "at_minute" : FIELD_OF[name]);
  if (wrong.length > 0) {
    const errors = wrong.map((field) => [field, { key: "errors.invalid" }]);
    return { values: typed, errors: Object.fromEntries(errors) };
  }
  const [before, now] = [cronPreset(cron_format), presetCron(times)];
  // Keeps another spelling, such as "@daily".
  const isSame = before !== null && presetCron(before) === now;
  return { values: isSame ? values : { ...values, cron_format: now }, errors: {} };
}

const isPreset = (text: string): text is Preset => PRESETS.some((preset) => preset === text);

/** Parts that are not typed as numbers are NaN. */
function timesIn(preset: Preset, { at_minute, at_time, on_weekday, on_day }: FormValues) {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(at_time?.trim() ?? "") ?? [];
  const numberOf = (text?: string) => /^\d{1,2}$/.test(text?.trim() ?? "") ? Number(text) : NaN;
  return {
    preset,
    minute: numberOf(preset === "hourly" ? at_minute : minute),
    hour: numberOf(hour),
    weekday: numberOf(on_weekday),
    day: numberOf(on_day),
  } satisfies PresetTimes;
}

/** Returns the values for the form again, in which "Custom" stays chosen. */
export const shownAgain = (typed: FormValues, values: FormValues): FormValues =>
  isCustom(typed) ? { ...values, every: "custom" } : values;

/** Whether "Custom" was chosen, and the cron format was left as it is. */
const isCustom = ({ every, cron_format = "", cron_shown = "" }: FormValues): boolean =>
  every === "custom" && cron_format.trim() === cron_shown.trim();

/**
 * Returns the values with the fields that say the same as the cron format. Typed ones stay. For a
 * blank format, `none` is chosen.
 */
export function withTimeFields(values: FormValues, none: "custom" | "" = "custom"): FormValues {
  const { cron_format = "" } = values;
  const found = cronPreset(cron_format);
  const { minute, hour, weekday, day } = found ?? USUAL_TIMES;
  const twoDigits = (part: number) => String(part).padStart(2, "0");
  return {
    every: found?.preset ?? (cron_format.trim() === "" ? none : "custom"),
    at_minute: String(minute),
    at_time: `${twoDigits(hour)}:${twoDigits(minute)}`,
    on_weekday: String(weekday),
    on_day: String(day),
    cron_shown: cron_format,
    ...values,
  };
}

/** Cron format that a new schedule proposes. */
export const USUAL_CRON = presetCron({ preset: "daily", ...USUAL_TIMES });
