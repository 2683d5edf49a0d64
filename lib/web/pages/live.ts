import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { followTasks } from "../../tasks/follow_tasks.ts";
import type { TaskView } from "../../tasks/schema.ts";
import { eventStream } from "../event_stream.ts";
import type { State } from "../state.ts";

/** The address of a page's event stream, which begins with what has happened since the page was made. */
export function liveUrl({ ui, shell }: State, path: string, query?: URLSearchParams): string {
  const asked = new URLSearchParams(query);
  asked.set("since", shell.since);
  return `${ui.href(path)}?${asked}`;
}

/**
 * A page's event stream: for each change of a task the elements that `render` makes of it, as they
 * are on the page, to be merged into it by their ids; `data-into` and `data-told` are marks for the
 * page's script. Its event "stale" asks for the page to be read anew.
 */
export function liveResponse(
  { scope }: State,
  { headers, url }: { headers: Headers; url: URL },
  render: (tasks: TaskView[]) => VNode[] | Promise<VNode[]>,
): Response {
  const since = headers.get("Last-Event-ID") ?? url.searchParams.get("since") ?? "";
  async function* events(gone: AbortSignal): AsyncGenerator<string> {
    yield `retry: 2000\nid: ${/^\w*$/.test(since) ? since : ""}\n\n`;
    for await (const tasks of followTasks(scope, since, gone)) {
      if (!tasks) {
        yield "event: stale\ndata:\n\n";
        continue;
      }
      const html = (await render(tasks)).map((element) => renderToString(element)).join("");
      if (html !== "") yield html.replace(/^/gm, "data: ") + "\n\n";
    }
  }
  return eventStream(headers, events);
}
