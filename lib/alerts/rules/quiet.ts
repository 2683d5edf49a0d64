import { Cron } from "croner";
import { invalidField } from "../../base/errors.ts";
import { knownTimeZone } from "../../i18n/time_zone.ts";
import type { QuietHours } from "./schema.ts";

/** Returns the end of the quiet hours that `now` is in; null if it is in none. */
export function quietUntil({ from, to, timezone }: QuietHours, now: Date): Date | null {
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(now);
  const isQuiet = from <= to ? from <= time && time < to : time >= from || time < to;
  if (!isQuiet) return null;
  const [hour, minute] = to.split(":").map(Number);
  return new Cron(`${minute} ${hour} * * *`, { timezone }).nextRun(now);
}

/** Returns quiet hours with this server's name of their time zone. Throws 400 if it has none. */
export function knownQuiet(quiet: QuietHours | null): QuietHours | null {
  if (!quiet) return null;
  const timezone = knownTimeZone(quiet.timezone);
  if (!timezone) throw invalidField("quiet.timezone", "errors.alerts.timezone");
  return { ...quiet, timezone };
}
