import { matcherOf } from "../base/lists/table_state.ts";
import { byName } from "../i18n/by_name.ts";
import type { Language } from "../i18n/catalogs.ts";
import type { Status } from "../model/status.ts";
import type { LastState } from "../tasks/template_tasks.ts";
import type { ListState } from "./list.ts";
import type { TemplateOutline } from "./outlines.ts";

/** Titles of views, and names of the objects that templates refer to, by id. */
export interface TemplateNames {
  view: Map<number, string>;
  inventory: Map<number, string>;
  environment: Map<number, string>;
  repository: Map<number, string>;
}

/** Returns whether a view has a template. */
export const inView =
  ({ id, type }: { id: number; type?: string }) =>
  (template: { view_id: number | null }): boolean => type === "all" || template.view_id === id;

/**
 * Templates with each word of `q` in their name, the view's title, or their other texts: playbook
 * and description.
 */
export function filterTemplates(
  templates: readonly TemplateOutline[],
  { view }: Pick<TemplateNames, "view">,
  texts: ReadonlyMap<number, readonly string[]>,
  q: string,
): TemplateOutline[] {
  const matches = matcherOf(q);
  return templates.filter(({ id, name, view_id }) =>
    matches([name, view.get(view_id ?? 0) ?? "", ...texts.get(id) ?? []])
  );
}

/** Sort order of statuses. Those that need attention come first, templates without a task last. */
const URGENCY: Record<Status, number> = {
  waiting_confirmation: 0,
  running: 1,
  stopping: 2,
  starting: 3,
  confirmed: 4,
  waiting: 5,
  error: 6,
  stopped: 7,
  success: 8,
};
const NEVER_RUN = 9;

/** Whether the order depends on the last tasks of templates. */
export const isSortedByTask = ({ sort }: Pick<ListState, "sort">): boolean =>
  sort === "status" || sort === "last_task" || sort === "version";

interface Sorting {
  names: TemplateNames;
  favourites: ReadonlySet<number>;
  /** The last tasks by template, if the order depends on them. */
  last: ReadonlyMap<number, LastState>;
  state: Pick<ListState, "sort" | "order">;
  language: Language;
}

/** Sorts templates that are in order of name: favourites first, then by the chosen column. */
export function sortTemplates(
  byName: readonly TemplateOutline[],
  { favourites, state, ...sorting }: Sorting,
): TemplateOutline[] {
  const valueOf = valuesBy(byName, state.sort, sorting);
  const sign = state.order === "desc" ? -1 : 1;
  const placed = byName.map((template, n) => ({
    template,
    value: sign * valueOf(template, n),
    isFavourite: Number(favourites.has(template.id)),
  }));
  // Sorting is stable, so that the order of names remains.
  placed.sort((a, b) => b.isFavourite - a.isFavourite || a.value - b.value);
  return placed.map(({ template }) => template);
}

/** Returns the function that gives the number to sort a template by. */
function valuesBy(
  byName: readonly TemplateOutline[],
  sort: ListState["sort"],
  { names, last, language }: Pick<Sorting, "names" | "last" | "language">,
): (template: TemplateOutline, position: number) => number {
  const ofText = (textOf: (template: TemplateOutline) => string) => {
    const ranks = ranksOf(byName.map(textOf), language);
    return (template: TemplateOutline) => ranks.get(textOf(template))!;
  };
  switch (sort) {
    case "name":
      return (_, position) => position;
    case "status":
      return ({ id }) => last.has(id) ? URGENCY[last.get(id)!.status] : NEVER_RUN;
    case "last_task":
      return ({ id }) => last.get(id)?.id ?? 0;
    case "version":
      return ofText(({ id }) => last.get(id)?.version ?? "");
    case "playbook":
    case "type":
      return ofText((template) => template[sort]);
    default:
      return ofText((template) => names[sort].get(template[`${sort}_id`] ?? 0) ?? "");
  }
}

/** Returns the position of each text in the reader's order. Most templates share a few texts. */
function ranksOf(texts: readonly string[], language: Language): ReadonlyMap<string, number> {
  const compare = byName(language);
  const sorted = [...new Set(texts)].sort(compare);
  let rank = 0;
  return new Map(sorted.map((text, n) => {
    if (n > 0 && compare(sorted[n - 1], text) !== 0) rank = n;
    return [text, rank];
  }));
}
