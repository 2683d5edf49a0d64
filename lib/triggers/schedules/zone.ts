/** The time zone of schedules that name none: the server's. */
export const serverTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A cron format without the zone that may stand in front of it, and the zone that it is read in. */
export function zonedPattern(
  format: string,
  timezone: string | null,
): { zone: string; pattern: string } {
  const [, zone = timezone || serverTimeZone(), pattern = ""] =
    /^(?:(?:CRON_)?TZ=(\S*)\s+)?(.*)$/s.exec(format.trim()) ?? [];
  return { zone, pattern };
}

/**
 * The moment at which clocks of `zone` show `local` ("2024-05-03T02:30"), in RFC 3339. Where they are
 * set on over it, it is as much later; where they show it twice, the first time. Null for no time.
 */
export function momentOf(local: string, zone: string): string | null {
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant().toString();
  } catch {
    return null;
  }
}

/** What clocks of `zone` show at a moment, to the minute, as a browser's field has it. */
export const localTime = (moment: string, zone: string): string =>
  Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toPlainDateTime()
    .toString({ smallestUnit: "minute" });
