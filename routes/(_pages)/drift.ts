import type { ProjectScope } from "@/lib/access/scope.ts";
import { listDifferingHosts, LOOKED_AT_MAX } from "@/lib/drift/differing.ts";
import { paths } from "@/lib/base/paths.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { DRIFT_QUERY_LENGTH_MAX } from "@/lib/drift/schema.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { DRIFT_ORDERS, SHOWN_STATES } from "@/lib/drift/state.ts";

/** States per page. */
const PAGE_DRIFT = 50;

/** Reads the filter of a page of states from the URL. Invalid values are ignored. */
export const readDriftFilter = (query: URLSearchParams) => ({
  q: (query.get("q") ?? "").trim().slice(0, DRIFT_QUERY_LENGTH_MAX),
  state: SHOWN_STATES.find((state) => state === query.get("state")),
  template: listNumber().parse(query.get("template") || undefined),
  order: DRIFT_ORDERS.find((order) => order === query.get("sort")) ?? "worst",
});

/** Returns what lists the states of such a page. */
export const driftPageOf = (
  { q, state, template = 0, order }: ReturnType<typeof readDriftFilter>,
  after: string | undefined,
) => ({
  ...{ q, templateId: template, order, after, limit: PAGE_DRIFT },
  states: state && [state],
});

/** Hosts of a template that were chosen in a table. */
interface Chosen {
  template: number;
  hosts: string[];
}

/** Number of templates of which hosts can be chosen together. */
const TEMPLATES_MAX = 20;

/** Returns the texts of a sent form by the name of their fields. */
export const sentTexts = (values: FormValues) => (name: string): string[] =>
  Object.entries(values).filter(([field]) => field.replace(/\.\d+$/, "") === name)
    .map(([, text]) => text);

/**
 * Returns the hosts that were chosen one by one (`choice`), or by an Ansible task that they need
 * (`group`). Throws 400 if there are none, or more than `max`.
 */
export async function chosenHosts(
  scope: ProjectScope,
  textsOf: (name: string) => string[],
  max = LOOKED_AT_MAX,
): Promise<Chosen[]> {
  const [hosts, groups] = ["choice", "group"].map((name) => textsOf(name).flatMap(readChoice));
  const ids = [...new Set([...hosts, ...groups].map(({ template }) => template))];
  if (ids.length > TEMPLATES_MAX) {
    throw invalidField("hosts", "errors.drift.templates_max", { max: TEMPLATES_MAX });
  }
  const namesOf = (all: typeof hosts, id: number) =>
    all.filter(({ template }) => template === id).map(({ name }) => name);
  const wanted = ids.map((template) => ({ template, play_tasks: namesOf(groups, template) }))
    .filter(({ play_tasks }) => play_tasks.length > 0);
  const found = await listDifferingHosts(scope, wanted, max);
  const chosen = ids.map((template) => ({
    template,
    hosts: [...new Set([...namesOf(hosts, template), ...found.get(template) ?? []])],
  })).filter(({ hosts }) => hosts.length > 0);
  if (chosen.length === 0) throw invalidField("hosts", "errors.drift.none_chosen");
  if (chosen.reduce((sum, { hosts }) => sum + hosts.length, 0) > max) {
    throw invalidField("hosts", "errors.drift.hosts_max", { max });
  }
  return chosen;
}

/** Reads a value of a check box: a template, and a host of it or an Ansible task. */
function readChoice(value: string): { template: number; name: string }[] {
  const [, template, name] = /^([1-9]\d{0,14}):(.+)$/s.exec(value) ?? [];
  return template ? [{ template: Number(template), name }] : [];
}

/** Returns the page that has the form: that of the template that it names, or of the project. */
export const driftPageOfForm = (projectId: number, template: string | null | undefined): string =>
  /^[1-9]\d{0,14}$/.test(template ?? "")
    ? paths.templateDrift(projectId, Number(template))
    : paths.section(projectId, "drift");
