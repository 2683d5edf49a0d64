import { searchOperations } from "@/lib/search/operations.ts";
import { searchProject } from "@/lib/search/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const search = bind(searchOperations, {
  search: ({ scope, query: { count, ...query } }) =>
    searchProject(scope, { ...query, limit: query.limit ?? count }),
});
