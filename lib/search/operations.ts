import { operation } from "../access/operation.ts";
import { foundSchema, searchQuery } from "./schema.ts";
import { searchProject } from "./service.ts";

export const searchOperations = [
  operation({
    id: "searchProject",
    method: "GET",
    path: "/project/{projectId}/search",
    tag: "Search",
    summary: "Search a project",
    details: "By names and other texts. Best matches first, grouped by kind.",
    access: "member",
    query: searchQuery,
    answer: foundSchema,
    run: ({ scope, query: { count, ...query } }) =>
      searchProject(scope, { ...query, limit: query.limit ?? count }),
  }),
];
