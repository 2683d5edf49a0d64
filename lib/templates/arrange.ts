import { matcherOf } from "../base/table_state.ts";
import { byName } from "../i18n/by_name.ts";
import type { Language } from "../i18n/catalogs.ts";
import type { Status } from "../tasks/status.ts";
import type { ListState } from "./list.ts";
import type { TemplateView } from "./schema.ts";

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

/** Templates with each word of `q` in their name, playbook, description or the view's title. */
export function filterTemplates(
  templates: TemplateView[],
  { view }: Pick<TemplateNames, "view">,
  q: string,
): TemplateView[] {
  const matches = matcherOf(q);
  return templates.filter(({ name, playbook, description, view_id }) =>
    matches([name, playbook, description ?? "", view.get(view_id ?? 0) ?? ""])
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

/** Sorts favourites first, then by the chosen column, then by name. */
export function sortTemplates(
  templates: TemplateView[],
  names: TemplateNames,
  favourites: ReadonlySet<number>,
  { sort, order }: ListState,
  language: Language,
): TemplateView[] {
  const compare = byName(language);
  const sign = order === "desc" ? -1 : 1;
  const isNumeric = sort === "status" || sort === "last_task";
  const numberOf = ({ last_task }: TemplateView): number => {
    if (sort === "last_task") return last_task?.id ?? 0;
    return last_task ? URGENCY[last_task.status] : NEVER_RUN;
  };
  const textOf = (template: TemplateView): string => {
    if (sort === "version") return template.last_task?.version ?? "";
    if (sort === "name" || sort === "playbook" || sort === "type") return template[sort];
    if (sort === "status" || sort === "last_task") return "";
    return names[sort].get(template[`${sort}_id`] ?? 0) ?? "";
  };
  const byColumn = (a: TemplateView, b: TemplateView) =>
    isNumeric ? numberOf(a) - numberOf(b) : compare(textOf(a), textOf(b));
  return templates.toSorted((a, b) =>
    Number(favourites.has(b.id)) - Number(favourites.has(a.id)) ||
    sign * byColumn(a, b) || compare(a.name, b.name)
  );
}
