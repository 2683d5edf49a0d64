import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { linkedAbort } from "../../base/time/abort.ts";
import { merge } from "../../base/merge.ts";
import { type ServerEvent, staleEvent } from "../../http/server_event.ts";
import { followProgress, followTasks } from "../../tasks/history/follow_tasks.ts";
import { followRunChanges } from "../../workflows/runs/follow.ts";
import { readNamePerson } from "../../people/users/name_person.ts";
import type { StartedTask } from "../../tasks/initiators.ts";
import type { Ui } from "../../i18n/ui.ts";
import type { State } from "../state.ts";
import { withSheets } from "./sheets.ts";

/**
 * Returns the URL of a page's event stream, which starts with all events since the page was
 * rendered.
 */
export function liveUrl({ ui, shell }: State, path: string, query?: URLSearchParams): string {
  const asked = new URLSearchParams(query);
  asked.set("since", shell.since);
  return `${ui.href(path)}?${asked}`;
}

/** Elements of a page in their current state. */
type Elements = VNode[] | Promise<VNode[]>;

/**
 * Follows tasks for a page's event stream. For each change of a task, it yields events with the
 * elements rendered from it, which the page merges by their ids. `data-into` and `data-told` are
 * instructions for the page's script. The event "stale" asks the page to reload. `also` renders the
 * elements of tasks that have made progress, and those that follow runs of workflows. `cause` is
 * the same object for all viewers of the same change.
 */
export function liveTasks(
  { deps, scope, ui }: State,
  render: (tasks: StartedTask[], cause: object) => Elements,
  also: { progress?: (cause: object) => Elements; runs?: (cause: object) => Elements } = {},
) {
  /** The names of people may have changed since the page was rendered. */
  async function shown(make: () => Elements): Promise<ServerEvent[]> {
    await readNamePerson(deps.kv);
    return htmlEvents(ui, await make());
  }

  async function* changes(
    gone: AbortSignal,
    since: string,
    end: () => void,
  ): AsyncGenerator<ServerEvent[]> {
    yield [{ id: since }];
    for await (const tasks of followTasks(scope, since, gone)) {
      if (tasks?.length === 0) continue;
      yield tasks ? await shown(() => render(tasks, tasks.at(-1)!)) : [staleEvent()];
    }
    end();
  }

  async function* rendered(
    causes: AsyncGenerator<object>,
    render: (cause: object) => Elements,
  ): AsyncGenerator<ServerEvent[]> {
    for await (const cause of causes) yield await shown(() => render(cause));
  }

  return async function* (gone: AbortSignal, since: string): AsyncGenerator<ServerEvent[]> {
    const { signal, abort, release } = linkedAbort(gone);
    const sources = [changes(signal, since, abort)];
    if (also.progress) sources.push(rendered(followProgress(scope, signal), also.progress));
    if (also.runs) sources.push(rendered(followRunChanges(scope, signal), also.runs));
    yield* merge(sources, {
      atEnd() {
        abort();
        release();
      },
    });
  };
}

/**
 * Converts elements to events with an `id` that the browser sends when it reconnects. Table rows
 * have an event of their own, because browsers would parse elements next to them as part of the
 * table.
 */
export function htmlEvents(ui: Pick<Ui, "href">, elements: VNode[], id?: number): ServerEvent[] {
  const { rows = [], others = [] } = Object.groupBy(
    elements.map((element) => renderToString(element)).filter((html) => html !== ""),
    (html) => html.startsWith("<tr") ? "rows" : "others",
  );
  return [rows, others].filter((parts) => parts.length > 0)
    .map((parts) => ({ id, data: withSheets(ui, parts.join("")) }));
}
