import { operation } from "../access/operation.ts";
import { foundSchema, searchQuery } from "./schema.ts";

export const searchOperations = {
  search: operation({
    id: "searchProject",
    method: "GET",
    path: "/project/{projectId}/search",
    tag: "Search",
    summary: "What of the project has a text in its name or beside it: best first, kind by kind",
    access: "member",
    query: searchQuery,
    answer: foundSchema,
  }),
};
