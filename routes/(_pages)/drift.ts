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

/** Returns the chosen hosts. Throws 400 if there are none. */
export function requireHosts(hosts: string[]): string[] {
  if (hosts.length === 0) throw invalidField("hosts", "errors.drift.none_chosen");
  return hosts;
}

/** Returns the hosts that were chosen in a table. */
export const chosenHosts = (values: FormValues): string[] =>
  Object.entries(values).filter(([name]) => /^hosts(\.\d+)?$/.test(name)).map(([, host]) => host);
