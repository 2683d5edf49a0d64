import { countOf, countRows, type ListPosition } from "../store/counted.ts";
import { getAll } from "../store/get_all.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { HostOrder, HostRank, ProjectHostRow } from "./rows.ts";
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
  const { order, isReverse: reverse, after, limit } = page;
  const prefix = rowKeys.hostsBy(projectId, order);
  const bounds = after && boundsAt(prefix, after, reverse);
  const rows = kv.list(bounds?.behind ?? { prefix }, { reverse, limit: limit + 1 });
  const [cursors, count, before] = await Promise.all([
    Array.fromAsync(rows, ({ key }) => cursorOf(key)),
    countOf(kv, [rowKeys.projectHosts(projectId)]),
    bounds && countRows(kv, bounds.before),
  ]);
  const skipped = before?.isMore ? null : before?.count ?? 0;
  return { cursors, position: { skipped, of: { count } } };
}

/** Returns the range after a host in an order, and the range before it, which includes the host. */
function boundsAt(prefix: Deno.KvKey, { rank, name }: HostCursor, reverse: boolean) {
  const [at, next] = [[...prefix, rank, name], [...prefix, rank, `${name}\0`]];
  return reverse
    ? { behind: { prefix, end: at }, before: { prefix, start: at } }
    : { behind: { prefix, start: next }, before: { prefix, end: next } };
}

const cursorOf = (key: Deno.KvKey): HostCursor => ({
  rank: key.at(-2) as HostRank,
  name: key.at(-1) as string,
});

/** Returns the hosts after `after` whose name contains the filter. */
async function findCursors(kv: Store, projectId: number, page: HostPage) {
  const { q, order, isReverse, after } = page;
  const { cursors, isAll } = await hostsInOrder(kv, projectId, order);
  const wanted = q.toLowerCase();
  const found = cursors.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (isReverse) found.reverse();
  // The host itself may have moved or been deleted.
  const isBehind = (position: HostCursor) => compare(position, after!) * (isReverse ? -1 : 1) > 0;
  const behind = after ? found.filter(isBehind).length : found.length;
  const at = found.length - behind;
  const of = { count: found.length, isMore: !isAll };
  return { cursors: found.slice(at, at + page.limit + 1), position: { skipped: at, of } };
}

function compare(a: HostCursor, b: HostCursor): number {
  if (a.rank === b.rank) return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
  if (typeof a.rank === "number") return a.rank - Number(b.rank);
  return a.rank < String(b.rank) ? -1 : 1;
}

/** Returns the names of a project's hosts in an order, cached until its hosts change. */
export const hostsInOrder = (kv: Store, projectId: number, order: HostOrder) =>
  cachedWhile(
    kv,
    [rowKeys.hostsGuard(projectId)],
    `hosts of ${projectId} by ${order}`,
    async () => {
      const rows = kv.list({ prefix: rowKeys.hostsBy(projectId, order) }, {
        limit: NAMES_MAX + 1,
        batchSize: 500,
      });
      const cursors = await Array.fromAsync(rows, ({ key }) => cursorOf(key));
      return { cursors: cursors.slice(0, NAMES_MAX), isAll: cursors.length <= NAMES_MAX };
    },
  );
