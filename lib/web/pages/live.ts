import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { linkedAbort } from "../../base/abort.ts";
import { merge } from "../../base/merge.ts";
import { type ServerEvent, staleEvent } from "../../base/server_event.ts";
import { followProgress } from "../../tasks/follow_progress.ts";
import { followTasks } from "../../tasks/follow_tasks.ts";
import type { StartedTask } from "../../tasks/starters.ts";
import { openStream } from "../open_streams.ts";
import type { State } from "../state.ts";

/** The address of a page's event stream, which begins with what has happened since the page was made. */
export function liveUrl({ ui, shell }: State, path: string, query?: URLSearchParams): string {
  const asked = new URLSearchParams(query);
  asked.set("since", shell.since);
  return `${ui.href(path)}?${asked}`;
}

/** Elements of a page as they are now. */
type Elements = VNode[] | Promise<VNode[]>;

/**
 * A page's event stream: for each change of a task the elements that are made of it, as they are on
 * the page, to be merged into it by their ids; `data-into` and `data-told` are marks for the page's
 * script. Its event "stale" asks for the page to be read anew. `renderProgress` makes those of runs
 * that came further; `cause` is the same object for all who are told of the same.
 */
export function liveResponse(
  state: State,
  { headers, url }: { headers: Headers; url: URL },
  render: (tasks: StartedTask[], cause: object) => Elements,
  renderProgress?: (cause: object) => Elements,
): Response {
  const { scope } = state;
  const since = headers.get("Last-Event-ID") ?? url.searchParams.get("since") ?? "";

  async function* changes(gone: AbortSignal, end: () => void): AsyncGenerator<ServerEvent> {
    yield { id: /^\w*$/.test(since) ? since : "" };
    for await (const tasks of followTasks(scope, since, gone)) {
      if (tasks?.length === 0) continue;
      if (tasks) yield* htmlEvents(await render(tasks, tasks.at(-1)!));
      else yield staleEvent();
    }
    end();
  }

  async function* progress(gone: AbortSignal): AsyncGenerator<ServerEvent> {
    if (!renderProgress) return;
    for await (const cause of followProgress(scope, gone)) {
      yield* htmlEvents(await renderProgress(cause));
    }
  }

  async function* events(gone: AbortSignal): AsyncGenerator<ServerEvent> {
    const { signal, abort, forget } = linkedAbort(gone);
    const sources = [changes(signal, abort), progress(signal)];
    yield* merge(sources, {
      atEnd() {
        abort();
        forget();
      },
    });
  }

  return openStream(state, headers, events);
}

/**
 * Elements as events, under an `id` that the browser sends when it reconnects. Rows of tables come
 * in an event of their own, because a browser would read what is beside them as part of the table.
 */
export function htmlEvents(elements: VNode[], id?: number): ServerEvent[] {
  const { rows = [], others = [] } = Object.groupBy(
    elements.map((element) => renderToString(element)).filter((html) => html !== ""),
    (html) => html.startsWith("<tr") ? "rows" : "others",
  );
  return [rows, others].filter((parts) => parts.length > 0)
    .map((parts) => ({ id, data: parts.join("") }));
}
