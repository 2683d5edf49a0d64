import { mergeNewest } from "../base/merge.ts";
import { cachedWhile } from "../store/cached.ts";
import { getAll } from "../store/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { hasAddress, nameRank } from "../hosts/rows.ts";
import type { DriftRow } from "../model/drift_row.ts";
import { driftPosition, shownState } from "./rows.ts";
import { type DriftOrder, SHOWN_STATES, type ShownState } from "./state.ts";

/** Number of states that a search looks through. */
const SEARCHED_MAX = 10_000;

/** Position of a state in the lists that show the worst first. */
interface DriftPosition {
  severity: number;
  rank: string;
  host: string;
  template: number;
}

export interface DriftFilter {
  states?: readonly ShownState[];
  /** 0 for all. */
  templateId: number;
  /** The name of a host. */
  host?: string;
  /** A part of the names of hosts, in any case; empty for all. */
  q: string;
}

export interface DriftPage extends DriftFilter {
  /** The worst first if it is missing. */
  order?: DriftOrder;
  limit: number;
  /** Only states behind this cursor. */
  after?: string;
}

export const cursorOfRow = (row: DriftRow): string =>
  `${shownState(row)}:${row.template_id}:${row.host}`;

/** Returns the position of a cursor; null if it is not valid. */
function positionOf(cursor: string | undefined): DriftPosition | null {
  const [, state, template, host] = /^(\w+):(\d{1,15}):(.+)$/s.exec(cursor ?? "") ?? [];
  const severity = SHOWN_STATES.findIndex((one) => one === state);
  return severity < 0 || !hasAddress(host)
    ? null
    : { severity, rank: nameRank(host), host, template: Number(template) };
}

/** Returns a page of a project's states, worst first, and whether there are more. */
export async function listDriftRows(
  kv: Store,
  projectId: number,
  page: DriftPage,
): Promise<{ rows: DriftRow[]; hasNext: boolean }> {
  const found = page.host !== undefined
    ? await ofHost(kv, projectId, page.host, page)
    : page.q !== ""
    ? await searched(kv, projectId, page)
    : page.order === "host"
    ? await byHost(kv, projectId, page)
    : await inOrder(kv, projectId, page);
  const shown = found.slice(0, page.limit);
  const keys = shown.map(({ template, host }) => rowKeys.drift(projectId, template, host));
  const rows = await getAll<DriftRow>(kv, keys);
  return { rows: rows.flatMap(({ value }) => value ?? []), hasNext: found.length > page.limit };
}

const positionIn = (key: Deno.KvKey): DriftPosition => {
  const [severity, rank, host, template] = key.slice(-4);
  return {
    severity: severity as number,
    rank: rank as string,
    host: host as string,
    template: template as number,
  };
};

/** Reads one state more than the page has room for. */
async function inOrder(
  kv: Store,
  projectId: number,
  { states, templateId, after, limit }: DriftPage,
): Promise<DriftPosition[]> {
  const from = positionOf(after);
  const found: DriftPosition[] = [];
  for (const [severity, state] of SHOWN_STATES.entries()) {
    if (states && !states.includes(state) || from && severity < from.severity) continue;
    const prefix = rowKeys.driftByState(projectId, templateId, severity);
    const start = from?.severity === severity
      ? { start: [...prefix, from.rank, from.host, from.template + 1] }
      : {};
    const rest = limit + 1 - found.length;
    for await (const { key } of kv.list({ prefix, ...start }, { limit: rest })) {
      found.push(positionIn(key));
    }
    if (found.length > limit) break;
  }
  return found;
}

/** Merges the states, each of which is sorted by host, and reads as much as the page shows. */
async function byHost(
  kv: Store,
  projectId: number,
  { states, templateId, after, limit }: DriftPage,
): Promise<DriftPosition[]> {
  const from = positionOf(after);
  const sources = SHOWN_STATES.entries().filter(([, state]) => !states || states.includes(state))
    .map(([severity]) => positionsIn(kv, projectId, { templateId, severity, from }));
  const found: DriftPosition[] = [];
  for await (const position of mergeNewest([...sources], (a, b) => isHostBehind(b, a))) {
    found.push(position);
    if (found.length > limit) break;
  }
  return found;
}

/** Number of positions of a state that are read ahead. */
const READ_AHEAD = 20;

async function* positionsIn(
  kv: Store,
  projectId: number,
  { templateId, severity, from }: {
    templateId: number;
    severity: number;
    from: DriftPosition | null;
  },
): AsyncGenerator<DriftPosition> {
  const prefix = rowKeys.driftByState(projectId, templateId, severity);
  const start = from ? { start: [...prefix, from.rank, from.host, from.template + 1] } : {};
  const entries = kv.list({ prefix, ...start }, { batchSize: READ_AHEAD });
  for await (const { key } of entries) yield positionIn(key);
}

/** Filters the names of all states, which are cached until one changes. */
async function searched(
  kv: Store,
  projectId: number,
  { states, templateId, q, after, order }: DriftPage,
): Promise<DriftPosition[]> {
  const isLater = order === "host" ? isHostBehind : isBehind;
  const all = await cachedWhile(
    kv,
    [rowKeys.driftStamp(projectId)],
    `drift of ${projectId} and ${templateId}`,
    () =>
      Array.fromAsync(
        kv.list({ prefix: rowKeys.driftBy(projectId, templateId) }, {
          limit: SEARCHED_MAX,
          batchSize: 500,
        }),
        ({ key }) => positionIn(key),
      ),
  );
  const wanted = q.toLowerCase();
  const from = positionOf(after);
  const found = all.filter((position) =>
    position.host.toLowerCase().includes(wanted) &&
    (!states || states.includes(SHOWN_STATES[position.severity])) &&
    (!from || isLater(position, from))
  );
  return order === "host" ? found.sort((a, b) => isLater(a, b) ? 1 : -1) : found;
}

const isBehind = (one: DriftPosition, other: DriftPosition): boolean =>
  one.severity === other.severity ? isHostBehind(one, other) : one.severity > other.severity;

function isHostBehind(one: DriftPosition, other: DriftPosition): boolean {
  if (one.rank !== other.rank) return one.rank > other.rank;
  return one.host === other.host ? one.template > other.template : one.host > other.host;
}

/** Maximum number of templates whose states of one host are listed. */
const OF_HOST_MAX = 1_000;

async function ofHost(
  kv: Store,
  projectId: number,
  host: string,
  { states, templateId, after }: DriftPage,
): Promise<DriftPosition[]> {
  if (!hasAddress(host)) return [];
  const prefix = rowKeys.driftOfHost(projectId, nameRank(host), host);
  const templates = await Array.fromAsync(
    kv.list({ prefix }, { limit: OF_HOST_MAX }),
    ({ key }) => key.at(-1) as number,
  );
  const wanted = templates.filter((id) => templateId === 0 || id === templateId);
  const rows = await getAll<DriftRow>(kv, wanted.map((id) => rowKeys.drift(projectId, id, host)));
  const from = positionOf(after);
  return rows.flatMap(({ value }) => value ? positionIn(driftPosition(value)) : [])
    .filter(({ severity }) => !states || states.includes(SHOWN_STATES[severity]))
    .filter((position) => !from || isBehind(position, from))
    .toSorted((a, b) => isBehind(a, b) ? 1 : -1);
}
