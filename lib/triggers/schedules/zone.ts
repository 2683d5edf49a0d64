const SERVER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of schedules that name none: the server's. */
export const serverTimeZone = (): string => SERVER_ZONE;

/** A cron format without a zone prefix, and the zone that applies to it. */
export function zonedPattern(
  format: string,
  timezone: string | null,
): { zone: string; pattern: string } {
  const [, zone = timezone || serverTimeZone(), pattern = ""] =
    /^(?:(?:CRON_)?TZ=(\S*)\s+)?(.*)$/s.exec(format.trim()) ?? [];
  return { zone, pattern };
}

/**
 * The moment at which clocks of `zone` show `local` ("2024-05-03T02:30"), in RFC 3339. A time that
 * clocks skip is moved forward by the length of the gap. For a time that they show twice, the first
 * one is used. Null for an invalid time.
 */
export function momentOf(local: string, zone: string): string | null {
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant().toString();
  } catch {
    return null;
  }
}

/** The local time in `zone` at a moment, to the minute, in the format of a browser's field. */
export const localTime = (moment: string, zone: string): string =>
  Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toPlainDateTime()
    .toString({ smallestUnit: "minute" });
