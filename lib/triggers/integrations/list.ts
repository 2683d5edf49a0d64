/** Sort order of a list of integrations. */
export interface IntegrationSort {
  sort: "name" | "template";
  order: "asc" | "desc";
}

/** Reads the query of the list's address. Unknown values are ignored. */
export const readSort = (query: URLSearchParams): IntegrationSort => ({
  sort: query.get("sort") === "template" ? "template" : "name",
  order: query.get("order") === "desc" ? "desc" : "asc",
});
