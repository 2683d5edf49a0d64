import { countOf, type ListPosition } from "../store/counted.ts";
import { getAll } from "../store/rows/get_all.ts";
import {
  comparePositions,
  countBefore,
  rangeAfter,
  readIndices,
  readPositions,
} from "../store/indexed_list.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { type HostOrder, type HostRank, hostRank, type ProjectHostRow } from "./rows.ts";
import type { HostCursor } from "./schema.ts";

/**
 * Number of names that a filter searches. In a larger project, the list shows that there may be
 * more.
 */
const NAMES_MAX = 10_000;

/** Filter, order and position of a page of hosts. */
export interface HostPage {
  /** A part of their names, in any case; empty for all. */
  q: string;
  order: HostOrder;
  isReverse: boolean;
  /** Only hosts after this position. */
  after: HostCursor | null;
  limit: number;
}

interface Listed {
  hosts: ProjectHostRow[];
  /** Position at which the next page begins; null if there is none. */
  next: HostCursor | null;
  position: ListPosition;
}

/** Returns a page of a project's hosts, from an index or, with a name filter, from all names. */
export async function listHostRows(
  kv: Store,
  projectId: number,
  page: HostPage,
): Promise<Listed> {
  const { cursors, position } = page.q === ""
    ? await readCursors(kv, projectId, page)
    : await findCursors(kv, projectId, page);
  const shown = cursors.slice(0, page.limit);
  const keys = shown.map(({ name }) => rowKeys.projectHost(projectId, name));
  const rows = await getAll<ProjectHostRow>(kv, keys);
  return {
    // A host may have been deleted just now.
    hosts: rows.flatMap(({ value }) => value ?? []),
    next: cursors.length > shown.length ? shown.at(-1) ?? null : null,
    position,
  };
}

/** Returns the hosts after `after`, and one more than the page has room for. */
async function readCursors(kv: Store, projectId: number, page: HostPage) {
  const { order, isReverse, after, limit } = page;
  const list = { parts: 2, isReverse };
  const indices = [rowKeys.hostsBy(projectId, order)];
  const position = after && positionOf(after);
  const entries = readIndices(kv, list, indices, {
    range: rangeAfter(list, position),
    limit: limit + 1,
  });
  const [cursors, count, skipped] = await Promise.all([
    Array.fromAsync(entries, ({ key }) => cursorOf(key)),
    countOf(kv, [rowKeys.projectHosts(projectId)]),
    countBefore(kv, list, indices, position),
  ]);
  return { cursors, position: { skipped, of: { count } } };
}

const positionOf = ({ rank, name }: HostCursor): Deno.KvKey => [rank, name];

const cursorOf = (key: Deno.KvKey): HostCursor => ({
  rank: key.at(-2) as HostRank,
  name: key.at(-1) as string,
});

/** Returns the hosts after `after` whose name contains the filter. */
async function findCursors(kv: Store, projectId: number, page: HostPage) {
  const { q, order, isReverse, after } = page;
  const { positions, isAll } = await hostsInOrder(kv, projectId, order);
  const wanted = q.toLowerCase();
  const found = positions.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (isReverse) found.reverse();
  // The host itself may have moved or been deleted.
  const isBehind = (cursor: HostCursor) =>
    comparePositions({ parts: 2, isReverse }, positionOf(cursor), positionOf(after!)) > 0;
  const behind = after ? found.filter(isBehind).length : found.length;
  const at = found.length - behind;
  const of = { count: found.length, isMore: !isAll };
  return { cursors: found.slice(at, at + page.limit + 1), position: { skipped: at, of } };
}

/** Returns a page of hosts that were read already. */
export function pageOfHosts(
  { hosts, isAll }: { hosts: ProjectHostRow[]; isAll: boolean },
  { q, order, isReverse, after, limit }: HostPage,
): Listed {
  const list = { parts: 2, isReverse };
  const keyOf = (host: ProjectHostRow): Deno.KvKey => [hostRank(host, order), host.name];
  const wanted = q.toLowerCase();
  const found = hosts.filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => comparePositions(list, keyOf(a), keyOf(b)));
  const behind = after
    ? found.filter((host) => comparePositions(list, keyOf(host), positionOf(after)) > 0)
    : found;
  const shown = behind.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = behind.length > shown.length && last !== undefined;
  return {
    hosts: shown,
    next: hasNext ? { rank: hostRank(last, order), name: last.name } : null,
    position: {
      skipped: found.length - behind.length,
      of: { count: found.length, isMore: !isAll },
    },
  };
}

/** Returns the names of a project's hosts in an order, cached until its hosts change. */
export const hostsInOrder = (kv: Store, projectId: number, order: HostOrder) =>
  readPositions(kv, { parts: 2, isReverse: false }, rowKeys.hostsBy(projectId, order), {
    stamps: [rowKeys.hostsGuard(projectId)],
    max: NAMES_MAX,
    positionOf: cursorOf,
  });
