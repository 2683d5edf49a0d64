/** A server-sent event, as https://html.spec.whatwg.org/multipage/server-sent-events.html has it. */
export interface ServerEvent {
  /** The browser sends it as `Last-Event-ID` when it reconnects. */
  id?: string | number;
  /** Its type; "message" by default. */
  event?: string;
  data?: string;
}

/** An event whose data is JSON. */
export const jsonEvent = (event: string, data: unknown, id?: number): ServerEvent => ({
  id,
  event,
  data: JSON.stringify(data),
});

/** Asks the page to load itself again. */
export const staleEvent = (id?: string): ServerEvent => ({ id, event: "stale", data: "" });

/** The lines of an event, with the blank one that ends it. */
export function serverEventText({ id, event, data }: ServerEvent): string {
  const lines = [
    event !== undefined && `event: ${event}`,
    id !== undefined && `id: ${id}`,
    // The line ends of an event stream, which are not all that "^" knows.
    ...data?.split(/\r\n?|\n/).map((line) => `data: ${line}`) ?? [],
  ];
  return lines.filter((line) => line !== false).join("\n") + "\n\n";
}
