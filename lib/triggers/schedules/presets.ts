/** Times that a form offers besides the text of a cron format. */
export const PRESETS = ["hourly", "daily", "weekdays", "weekly", "monthly"] as const;
export type Preset = (typeof PRESETS)[number];

/** The parts of a preset's times. Each preset uses some of them. */
export interface PresetTimes {
  preset: Preset;
  minute: number;
  hour: number;
  /** From 0, which is Sunday. */
  weekday: number;
  /** Day of the month. */
  day: number;
}

/** Fields that a format does not name: at 3:00 on Monday or on the first of a month. */
export const USUAL_TIMES = { minute: 0, hour: 3, weekday: 1, day: 1 } as const;

const LIMITS = { minute: [0, 59], hour: [0, 23], weekday: [0, 6], day: [1, 31] } as const;
type Field = keyof typeof LIMITS;

/** The fields that each preset uses. */
const PRESET_FIELDS: Record<Preset, readonly Field[]> = {
  hourly: ["minute"],
  daily: ["minute", "hour"],
  weekdays: ["minute", "hour"],
  weekly: ["minute", "hour", "weekday"],
  monthly: ["minute", "hour", "day"],
};

/** Returns the fields of a preset that are out of range. */
export const wrongFields = (times: PresetTimes): Field[] =>
  PRESET_FIELDS[times.preset].filter((field) => {
    const [least, most] = LIMITS[field];
    return !Number.isInteger(times[field]) || times[field] < least || times[field] > most;
  });

/** Returns the cron format of a preset. */
export function presetCron({ preset, minute, hour, weekday, day }: PresetTimes): string {
  if (preset === "hourly") return `${minute} * * * *`;
  const at = `${minute} ${hour}`;
  if (preset === "monthly") return `${at} ${day} * *`;
  return `${at} * * ${{ daily: "*", weekdays: "1-5", weekly: weekday }[preset]}`;
}

const NICKNAMES: Record<string, string> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
};
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Returns the preset that a cron format stands for; null if none does. */
export function cronPreset(format: string): PresetTimes | null {
  const text = format.trim().toLowerCase();
  const fields = (Object.hasOwn(NICKNAMES, text) ? NICKNAMES[text] : text).split(/\s+/);
  if (fields.length !== 5) return null;
  const [minute, hour, day, month, weekday] = fields;
  const preset = presetOf(fields);
  if (!preset || month !== "*") return null;
  const numbers = {
    minute: numberOf(minute),
    ...hour !== "*" && { hour: numberOf(hour) },
    ...day !== "*" && { day: numberOf(day) },
    ...preset === "weekly" && { weekday: weekdayOf(weekday) },
  };
  const found = { preset, ...USUAL_TIMES, ...numbers };
  return wrongFields(found).length === 0 ? found : null;
}

function presetOf([, hour, day, , weekday]: string[]): Preset | null {
  if (hour === "*") return day === "*" && weekday === "*" ? "hourly" : null;
  if (day !== "*") return weekday === "*" ? "monthly" : null;
  if (weekday === "*") return "daily";
  return /^(1-5|mon-fri)$/.test(weekday) ? "weekdays" : "weekly";
}

const numberOf = (text: string) => /^\d{1,2}$/.test(text) ? Number(text) : NaN;
const weekdayOf = (text: string) =>
  DAYS.includes(text) ? DAYS.indexOf(text) : text === "7" ? 0 : numberOf(text);
