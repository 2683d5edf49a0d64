import { paths } from "@/lib/base/paths.ts";
import { notFound } from "@/lib/base/errors.ts";
import { HOST_QUERY_LENGTH_MAX, type HostCursor, type HostsState } from "@/lib/hosts/schema.ts";
import { HOST_ORDERS } from "@/lib/hosts/rows.ts";

/** Reads the state of the list from the URL. Invalid values are ignored. */
export const readHostsState = (query: URLSearchParams): HostsState => ({
  q: (query.get("q") ?? "").trim().slice(0, HOST_QUERY_LENGTH_MAX),
  sort: HOST_ORDERS.find((order) => order === query.get("sort")) ?? "name",
  isTurned: query.get("order") === "turned",
});

/** Reads the host after which the page starts; null for the first page. */
export function readHostCursor(query: URLSearchParams, { sort }: HostsState): HostCursor | null {
  const [rank, name] = [query.get("rank") ?? "", query.get("after") ?? ""];
  if (name === "" || rank === "") return null;
  if (sort === "name") return { rank, name };
  return /^\d{1,15}$/.test(rank) ? { rank: Number(rank), name } : null;
}

/**
 * Returns the host that a page's path names. It is escaped once, whatever characters it contains.
 */
export function hostOf(projectId: number, { pathname }: URL): string {
  const list = `${paths.section(projectId, "hosts")}/`;
  const [name] = pathname.slice(pathname.indexOf(list) + list.length).split("/");
  if (name === "") throw notFound();
  return decodeURIComponent(name);
}
