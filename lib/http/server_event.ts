/** The media type of an event stream. */
export const EVENT_STREAM = "text/event-stream";

/** A server-sent event. See https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export interface ServerEvent {
  /** The browser sends it as `Last-Event-ID` when it reconnects. */
  id?: string | number;
  /** Its type; "message" by default. */
  event?: string;
  data?: string;
}

/** Creates an event whose data is JSON. */
export const jsonEvent = (event: string, data: unknown, id?: number): ServerEvent => ({
  id,
  event,
  data: JSON.stringify(data),
});

/** Creates an event that asks the page to reload itself. */
export const staleEvent = (id?: string): ServerEvent => ({ id, event: "stale", data: "" });

/** Event that says that the server stops: running work gets some time, and then the stream ends. */
export const STOPPING = "stopping";

/** Returns the lines of an event with the blank line that ends it. */
export function serverEventText({ id, event, data }: ServerEvent): string {
  const lines = [
    event !== undefined && `event: ${event}`,
    id !== undefined && `id: ${id}`,
    // The line ends of an event stream, which "^" does not match in all cases.
    ...data?.split(/\r\n?|\n/).map((line) => `data: ${line}`) ?? [],
  ];
  return lines.filter((line) => line !== false).join("\n") + "\n\n";
}
