const NAME_MAX = 50;
const UTC = "UTC";

/** The time zones that somebody can choose, by their names in the tz database. */
export const timeZones = (): string[] => [UTC, ...Intl.supportedValuesOf("timeZone")];

const known = new Set(timeZones());

/**
 * The name that this server has for a time zone, which a browser may call otherwise ("Asia/Kolkata"
 * for "Asia/Calcutta"); null for what is none, also for offsets such as "+02:00".
 */
export function knownTimeZone(name: string): string | null {
  if (name.length > NAME_MAX) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return known.has(timeZone) ? timeZone : null;
  } catch {
    return null;
  }
}
