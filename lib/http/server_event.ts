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

/** An event as a reader gets it. */
export interface ReadEvent {
  id: string | undefined;
  event: string | undefined;
  data: string;
}

/**
 * Returns a function that reads a stream of what `serverEventText` has written, in parts of any
 * size, and calls `take` for each event with data. It knows no other line ends or fields, because
 * each page loads it.
 */
export function createEventReader(take: (event: ReadEvent) => void): (text: string) => void {
  /** The parts of a line whose end has not come. */
  let line: string[] = [];
  let fields: Record<string, string[]> = {};

  function readLine(text: string) {
    const [, name, value] = /^(\w+): ?(.*)$/s.exec(text) ?? [];
    if (name) (fields[name] ??= []).push(value);
    if (text !== "") return;
    const { id, event, data } = fields;
    fields = {};
    if (data) take({ id: id?.at(-1), event: event?.at(-1), data: data.join("\n") });
  }

  return (text) => {
    const [first, ...others] = text.split("\n");
    line.push(first);
    for (const next of others) {
      readLine(line.join(""));
      line = [next];
    }
  };
}
