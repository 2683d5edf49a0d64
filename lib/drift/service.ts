import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { isoTime } from "../base/time/clock.ts";
import { notFound } from "../base/errors.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { cursorOfRow, type DriftPage, listDriftRows } from "./list.ts";
import { differingOf, type DriftCounts, type DriftSummary, noCounts } from "./rows.ts";
import type { AcceptedRow, DriftRow } from "../model/drift_row.ts";
import type { HostDrift, TemplateDrift } from "./schema.ts";
import { SHOWN_STATES } from "./state.ts";
import { findDriftSummary } from "./store.ts";
import { reasonOfState } from "./unchecked.ts";
import { findTemplateHead, findTemplateHeads } from "../model/templates.ts";

/**
 * Returns a page of the states of a project's hosts, worst first: those for templates that the
 * actor sees. States are results of checks, so someone who sees no tasks of others sees none.
 */
export async function listHostDrift(
  scope: ProjectScope,
  page: DriftPage,
): Promise<{ rows: HostDrift[]; hasNext: boolean }> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  if (!sight.seesAllTasks) return { rows: [], hasNext: false };
  const hidden = sight.hidden("templates");
  const { rows, hasNext } = await listDriftRows(kv, projectId, { ...page, hidden });
  return { rows: await hostDrifts(kv, projectId, rows), hasNext };
}

/** Yields all states of a project that match, in the same order. */
export async function* everyHostDrift(
  scope: ProjectScope,
  filter: Omit<DriftPage, "limit" | "after">,
): AsyncGenerator<HostDrift[]> {
  let after: string | undefined;
  for (;;) {
    const { rows, hasNext } = await listHostDrift(scope, { ...filter, limit: PAGE_ROWS, after });
    yield rows;
    after = rows.at(-1)?.cursor;
    if (!hasNext || after === undefined) return;
  }
}

/** Number of states that are read together for a file. */
const PAGE_ROWS = 500;

async function hostDrifts(
  kv: Store,
  projectId: number,
  rows: DriftRow[],
): Promise<HostDrift[]> {
  const names = await templateNames(kv, projectId, rows.map(({ template_id }) => template_id));
  return rows.map((row) => hostDrift(row, names.get(row.template_id) ?? ""));
}

const hostDrift = (row: DriftRow, template_name: string): HostDrift => ({
  host: row.host,
  template_id: row.template_id,
  template_name,
  state: row.state,
  since: isoTime(row.since),
  checked: isoTime(row.checked),
  first_checked: isoTime(row.first_checked),
  last_described: row.last_described === null ? null : isoTime(row.last_described),
  task_id: row.task_id,
  commit: row.commit,
  changes: row.changes,
  change_tasks: row.change_tasks ?? [],
  partial: row.partial,
  unchecked: row.left_out ?? 0,
  reason: reasonOfState(row),
  accepted: row.accepted ? acceptedView(row.accepted) : null,
  cursor: cursorOfRow(row),
});

const acceptedView = ({ until, note, by, by_name, at }: AcceptedRow) => ({
  until: isoTime(until),
  note,
  user_id: by,
  user_name: by_name,
  at: isoTime(at),
});

async function templateNames(
  kv: Store,
  projectId: number,
  ids: number[],
): Promise<Map<number, string>> {
  const wanted = [...new Set(ids)];
  const found = await findTemplateHeads(kv, wanted.map((id) => [projectId, id]));
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return new Map(wanted.map((id) => [id, names.get(id) ?? ""]));
}

/** Returns the name of a template. Throws 404 if there is none. */
export async function requireTemplateName(
  kv: Store,
  projectId: number,
  templateId: number,
): Promise<string> {
  const template = await findTemplateHead(kv, projectId, templateId);
  if (!template) throw notFound();
  return template.name;
}

/** Returns the number of a project's states for templates that the actor sees. */
export async function countDrift(scope: ProjectScope): Promise<DriftCounts> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  if (!sight.seesAllTasks) return noCounts();
  const counts = await countDriftOf(kv, projectId);
  const hidden = [...sight.hidden("templates")].map((id) => rowKeys.driftSummary(projectId, id));
  for (const { value } of await getAll<DriftSummary>(kv, hidden)) {
    for (const state of SHOWN_STATES) counts[state] -= value?.counts[state] ?? 0;
  }
  return counts;
}

async function countDriftOf(kv: Store, projectId: number): Promise<DriftCounts> {
  const keys = SHOWN_STATES.map((state) => rowKeys.driftCount(projectId, state));
  const sums = await getAll<Deno.KvU64>(kv, keys);
  const counts = SHOWN_STATES.map((state, n) =>
    [state, Math.max(0, Number(BigInt.asIntN(64, sums[n].value?.value ?? 0n)))] as const
  );
  return Object.fromEntries(counts) as DriftCounts;
}

/** Returns the checked templates of a project with their latest checks, by id after `after`. */
export async function listTemplateDrift(
  scope: ProjectScope,
  { after = 0, limit }: { after?: number; limit: number },
): Promise<{ templates: TemplateDrift[]; hasNext: boolean }> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  if (!sight.seesAllTasks) return { templates: [], hasNext: false };
  const hidden = sight.hidden("templates");
  const prefix = rowKeys.driftSummaries(projectId);
  const entries: Deno.KvEntry<DriftSummary>[] = [];
  const all = kv.list<DriftSummary>({ prefix, start: [...prefix, after + 1] }, {
    limit: limit + 1 + hidden.size,
  });
  for await (const entry of all) {
    if (!hidden.has(entry.key.at(-1) as number)) entries.push(entry);
    if (entries.length > limit) break;
  }
  const shown = entries.slice(0, limit);
  const ids = shown.map(({ key }) => key.at(-1) as number);
  const names = await templateNames(kv, projectId, ids);
  return {
    templates: shown.map(({ value }, n) => templateDrift(value, ids[n], names.get(ids[n]) ?? "")),
    hasNext: entries.length > limit,
  };
}

/** Throws 404 if the actor does not see the states of a template's hosts. */
export async function requireDriftSeen(scope: ProjectScope, templateId: number): Promise<void> {
  const sight = await sightOf(scope);
  if (!sight.seesAllTasks || !sight.maySee("templates", templateId)) throw notFound();
}

/**
 * Returns the checks of a template; null without any. Throws 404 if the actor sees no such
 * template.
 */
export async function getTemplateDrift(
  scope: ProjectScope,
  templateId: number,
): Promise<TemplateDrift | null> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  if (!sight.maySee("templates", templateId)) throw notFound();
  if (!sight.seesAllTasks) return null;
  const name = await requireTemplateName(kv, projectId, templateId);
  const summary = await findDriftSummary(kv, projectId, templateId);
  return summary && templateDrift(summary, templateId, name);
}

const templateDrift = (
  summary: DriftSummary,
  template_id: number,
  template_name: string,
): TemplateDrift => ({
  template_id,
  template_name,
  hosts: summary.counts,
  task_id: summary.task_id || null,
  checked: summary.task_id ? isoTime(summary.checked) : null,
  commit: summary.commit,
  checks: summary.strip.map((check) => ({
    task_id: check.task_id,
    time: isoTime(check.at),
    complete: check.complete,
    hosts: check.counts,
  })),
  begun: Object.entries(summary.begun).map(([task, { at, count }]) => ({
    task_id: Number(task),
    time: isoTime(at),
    hosts: count,
  })).toSorted((a, b) => a.time < b.time ? -1 : 1),
  differing: differingOf(summary),
});
