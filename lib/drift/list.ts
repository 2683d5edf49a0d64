import { getAll } from "../store/rows/get_all.ts";
import {
  comparePositions,
  type IndexedList,
  rangeAfter,
  readIndices,
  readPositions,
} from "../store/indexed_list.ts";
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
  /** Templates whose states are left out, because the reader does not see them. */
  hidden?: ReadonlySet<number>;
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

/** Indices of states by host end so. Those of all states have the severity before. */
const BY_HOST: IndexedList = { parts: 3, isReverse: false };
const BY_STATE: IndexedList = { parts: 4, isReverse: false };

const hostPosition = (
  { rank, host, template }: DriftPosition,
): Deno.KvKey => [rank, host, template];

/** Returns the severities of the wanted states, worst first. */
const severitiesOf = ({ states }: DriftFilter): number[] =>
  [...SHOWN_STATES.keys()].filter((n) => !states || states.includes(SHOWN_STATES[n]));

/** Reads one state more than the page has room for. */
async function inOrder(
  kv: Store,
  projectId: number,
  page: DriftPage,
): Promise<DriftPosition[]> {
  const from = positionOf(page.after);
  const found: DriftPosition[] = [];
  for (const severity of severitiesOf(page)) {
    if (from && severity < from.severity) continue;
    const position = from?.severity === severity ? hostPosition(from) : null;
    const index = rowKeys.driftByState(projectId, page.templateId, severity);
    const entries = readIndices(kv, BY_HOST, [index], {
      range: rangeAfter(BY_HOST, position),
      limit: limitOf(page) - found.length,
    });
    await addSeen(found, entries, page);
    if (found.length > page.limit) break;
  }
  return found;
}

/** Number of states that are looked at for a page of a reader who does not see all templates. */
const LOOKED_AT_MAX = 10_000;

/** Returns the number of states that are read for a page, one more than it has room for. */
const limitOf = ({ hidden, limit }: DriftPage): number =>
  hidden && hidden.size > 0 ? LOOKED_AT_MAX : limit + 1;

/** Adds the positions of states that the reader sees, up to one more than the page has room for. */
async function addSeen(
  found: DriftPosition[],
  entries: AsyncIterable<{ key: Deno.KvKey }>,
  { hidden, limit }: DriftPage,
): Promise<void> {
  for await (const { key } of entries) {
    const position = positionIn(key);
    if (!hidden?.has(position.template)) found.push(position);
    if (found.length > limit) return;
  }
}

/** Number of positions of a state that are read ahead. */
const READ_AHEAD = 20;

/** Merges the states, each of which is sorted by host, and reads as much as the page shows. */
async function byHost(
  kv: Store,
  projectId: number,
  page: DriftPage,
): Promise<DriftPosition[]> {
  const from = positionOf(page.after);
  const indices = severitiesOf(page).map((severity) =>
    rowKeys.driftByState(projectId, page.templateId, severity)
  );
  const entries = readIndices(kv, BY_HOST, indices, {
    range: rangeAfter(BY_HOST, from && hostPosition(from)),
    limit: limitOf(page),
    batchSize: READ_AHEAD,
  });
  const found: DriftPosition[] = [];
  await addSeen(found, entries, page);
  return found;
}

/** Filters the names of all states, which are cached until one changes. */
async function searched(
  kv: Store,
  projectId: number,
  { states, templateId, q, after, order, hidden }: DriftPage,
): Promise<DriftPosition[]> {
  const list = order === "host" ? BY_HOST : BY_STATE;
  const { positions } = await readPositions(kv, BY_STATE, rowKeys.driftBy(projectId, templateId), {
    stamps: [rowKeys.driftStamp(projectId)],
    max: SEARCHED_MAX,
    positionOf: positionIn,
  });
  const wanted = q.toLowerCase();
  const from = positionOf(after);
  const found = positions.filter((position) =>
    !hidden?.has(position.template) && position.host.toLowerCase().includes(wanted) &&
    (!states || states.includes(SHOWN_STATES[position.severity])) &&
    (!from || compare(list, position, from) > 0)
  );
  return order === "host" ? found.sort((a, b) => compare(list, a, b)) : found;
}

const compare = (list: IndexedList, a: DriftPosition, b: DriftPosition): number =>
  comparePositions(list, [a.severity, ...hostPosition(a)], [b.severity, ...hostPosition(b)]);

/** Maximum number of templates whose states of one host are listed. */
const OF_HOST_MAX = 1_000;

async function ofHost(
  kv: Store,
  projectId: number,
  host: string,
  { states, templateId, after, hidden }: DriftPage,
): Promise<DriftPosition[]> {
  if (!hasAddress(host)) return [];
  const prefix = rowKeys.driftOfHost(projectId, nameRank(host), host);
  const templates = await Array.fromAsync(
    kv.list({ prefix }, { limit: OF_HOST_MAX }),
    ({ key }) => key.at(-1) as number,
  );
  const wanted = templates.filter((id) =>
    (templateId === 0 || id === templateId) && !hidden?.has(id)
  );
  const rows = await getAll<DriftRow>(kv, wanted.map((id) => rowKeys.drift(projectId, id, host)));
  const from = positionOf(after);
  return rows.flatMap(({ value }) => value ? positionIn(driftPosition(value)) : [])
    .filter(({ severity }) => !states || states.includes(SHOWN_STATES[severity]))
    .filter((position) => !from || compare(BY_STATE, position, from) > 0)
    .toSorted((a, b) => compare(BY_STATE, a, b));
}
