/** The time of day in a log, exact to the second and of one width: "08:40:55". */
export function logClock(language: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  return (iso) => format.format(new Date(iso));
}
