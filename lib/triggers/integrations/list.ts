/** How a list of integrations is sorted. */
export interface IntegrationSort {
  sort: "name" | "template";
  order: "asc" | "desc";
}

/** Reads the query of the list's address. What it does not know counts as not said. */
export const readSort = (query: URLSearchParams): IntegrationSort => ({
  sort: query.get("sort") === "template" ? "template" : "name",
  order: query.get("order") === "desc" ? "desc" : "asc",
});
