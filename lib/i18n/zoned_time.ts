import type { Language } from "./languages.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** "Tue, Nov 24, 2026, 2:30 AM GMT+1": a planned time, to the minute, as clocks of `zone` show it. */
export function zonedTime(language: Language, iso: string, zone: string): string {
  const name = `${language} ${zone}`;
  const format = formats.get(name) ?? new Intl.DateTimeFormat(language, {
    timeZone: zone,
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
  formats.set(name, format);
  return format.format(new Date(iso));
}
