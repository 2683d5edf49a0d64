import { taskPaths } from "@/lib/base/task_paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { belowTask, OVER_TAB, OVER_TASK, TAB_PREFIX } from "@/lib/web/pages/overlay_address.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

/** Query of a tab, by the tab's own names. Undefined values are left out. */
type Asked = Record<string, string | number | readonly (string | number)[] | undefined>;

/**
 * Where a task is shown: on its own pages, or in a dialog over another page. Creates all links to
 * it.
 */
export interface TaskAddress {
  isInOverlay: boolean;
  /** The current tab. */
  tab: string;
  /** Query of the tab, by the tab's own names. */
  asked: URLSearchParams;
  /** Returns the complete address of a tab. */
  href(tab: string, asked?: Asked): string;
  /** Returns the complete address of a line of the output. */
  line(line: number): string;
  /** Attributes of a form in the current tab. */
  form: {
    action: string;
    /** Further parameters that the address must contain. */
    hidden: [name: string, value: string][];
    /** Returns the name of a field in the address. */
    name(field: string): string;
  };
}

/** The default tab, which addresses do not name. */
export const OUTPUT = "output";
/** The tab where a waiting task is confirmed. */
export const REVIEW = "review";

/** Returns where an address shows a task. */
export function taskAddress(
  ui: Pick<Ui, "href">,
  task: Pick<TaskView, "id" | "project_id">,
  url: URL,
): TaskAddress {
  const isOver = url.searchParams.get(OVER_TASK) === String(task.id);
  return isOver ? addressInOverlay(url, task.id) : addressOnPage(ui, task, url);
}

function addressOnPage(
  ui: Pick<Ui, "href">,
  { id, project_id }: Pick<TaskView, "id" | "project_id">,
  url: URL,
): TaskAddress {
  const page = ui.href(taskPaths.taskPage(project_id, id));
  const tab = url.pathname.slice(page.length + 1) || OUTPUT;
  return {
    isInOverlay: false,
    tab,
    asked: belowTask(url).searchParams,
    href: (name, asked = {}) =>
      withQuery(name === OUTPUT ? page : `${page}/${name}`, entriesOf(asked)),
    line: (line) => `${page}?line=${line}#L${line}`,
    form: { action: `${page}/${tab}`, hidden: [], name: (field) => field },
  };
}

function addressInOverlay(url: URL, id: number): TaskAddress {
  const below = belowTask(url);
  const tab = url.searchParams.get(OVER_TAB) ?? OUTPUT;
  const here: [string, string][] = [...below.searchParams, [OVER_TASK, String(id)]];
  const own = [...url.searchParams].filter(([name]) => name.startsWith(TAB_PREFIX))
    .map(([name, value]) => [name.slice(TAB_PREFIX.length), value]);
  const at = (more: [string, string][]) => withQuery(below.pathname, [...here, ...more]);
  return {
    isInOverlay: true,
    tab,
    asked: new URLSearchParams(own),
    href: (name, asked = {}) =>
      at(
        name === OUTPUT ? [] : [
          [OVER_TAB, name],
          ...entriesOf(asked).map(([name, value]): [string, string] => [TAB_PREFIX + name, value]),
        ],
      ),
    line: (line) => at([["line", String(line)]]),
    form: {
      action: below.pathname,
      hidden: [...here, [OVER_TAB, tab]],
      name: (field) => TAB_PREFIX + field,
    },
  };
}

const entriesOf = (asked: Asked) =>
  Object.entries(asked).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)])
  );

const withQuery = (path: string, entries: [string, string][]) =>
  entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
