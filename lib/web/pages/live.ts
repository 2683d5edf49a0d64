import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { linkedAbort } from "../../base/abort.ts";
import { merge } from "../../base/merge.ts";
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

  async function* changes(gone: AbortSignal, end: () => void): AsyncGenerator<string> {
    yield `retry: 2000\nid: ${/^\w*$/.test(since) ? since : ""}\n\n`;
    for await (const tasks of followTasks(scope, since, gone)) {
      if (tasks?.length === 0) continue;
      yield tasks ? htmlEvent(await render(tasks, tasks.at(-1)!)) : "event: stale\ndata:\n\n";
    }
    end();
  }

  async function* progress(gone: AbortSignal): AsyncGenerator<string> {
    if (!renderProgress) return;
    for await (const cause of followProgress(scope, gone)) {
      yield htmlEvent(await renderProgress(cause));
    }
  }

  async function* events(gone: AbortSignal): AsyncGenerator<string> {
    const { signal, abort, forget } = linkedAbort(gone);
    const sources = [changes(signal, abort), progress(signal)];
    const merged = merge(sources, {
      atEnd() {
        abort();
        forget();
      },
    });
    for await (const text of merged) if (text !== "") yield text;
  }

  return openStream(state, headers, events);
}

/**
 * Elements as an event, under an `id` that the browser brings back when it comes again. Rows of
 * tables come by themselves: a browser reads what stands beside them as if it were in one.
 */
export function htmlEvent(elements: VNode[], id?: number): string {
  const { rows = [], others = [] } = Object.groupBy(
    elements.map((element) => renderToString(element)).filter((html) => html !== ""),
    (html) => html.startsWith("<tr") ? "rows" : "others",
  );
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return [rows, others].filter((parts) => parts.length > 0)
    .map((parts) => idLine + dataLines(parts.join("")) + "\n").join("");
}

/** What ends a line of an event stream is not all that ends one for `^`. */
const dataLines = (text: string): string =>
  text.split(/\r\n?|\n/).map((line) => `data: ${line}\n`).join("");
