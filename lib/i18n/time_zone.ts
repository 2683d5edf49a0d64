const NAME_MAX = 50;
const UTC = "UTC";

/** Returns the time zones to choose from, by their names in the tz database. */
export const timeZones = (): string[] => [UTC, ...Intl.supportedValuesOf("timeZone")];

const known = new Set(timeZones());

/**
 * Returns this server's name of a time zone, for which a browser may use an alias ("Asia/Kolkata"
 * for "Asia/Calcutta"). Returns null for an unknown name, including offsets such as "+02:00".
 */
export function knownTimeZone(name: string): string | null {
  if (known.has(name)) return name; // Creating a format takes a tenth of a millisecond.
  if (name === "" || name.length > NAME_MAX) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return known.has(timeZone) ? timeZone : null;
  } catch {
    return null;
  }
}
