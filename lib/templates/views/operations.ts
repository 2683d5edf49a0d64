import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { resourceOperations } from "../../resources/common/operations.ts";
import { templateList } from "../lists.ts";
import { TEMPLATE_COLUMNS, templateSchema } from "../schema.ts";
import { positionsForm, viewForm, viewSchema } from "./schema.ts";
import { moveViews, viewService } from "./service.ts";

const tag = "Views";

export const viewOperations = [
  ...resourceOperations({
    names: ["View", "Views"],
    nouns: ["a view", "views of a project"],
    path: "views",
    param: "viewId",
    tag,
    body: viewForm,
    change: viewForm.meta({ example: { title: "Every night", position: 1 } }),
    answer: viewSchema,
    permission: "manage_resources",
    service: () => viewService,
    isUnused: true,
    details: {
      list: "In the order of their tabs.",
      create: "It becomes the last one unless `position` is sent.",
      delete: "Its templates stay, without a view.",
    },
  }),
  operation({
    id: "moveViews",
    method: "POST",
    path: "/project/{projectId}/views/positions",
    tag,
    summary: "Set the positions of views",
    details: "The body maps IDs of views to positions.",
    access: "manage_resources",
    body: positionsForm,
    status: 204,
    run: ({ scope, body }) => moveViews(scope, body),
  }),
  operation({
    id: "listViewTemplates",
    method: "GET",
    path: "/project/{projectId}/views/{viewId}/templates",
    tag,
    summary: "List the templates of a view",
    details: "Each has its latest task.",
    access: "member",
    answer: z.array(templateSchema),
    sort: TEMPLATE_COLUMNS,
    run: ({ scope, ids, url }) =>
      templateList(scope, { viewId: ids.viewId, sort: url.searchParams }),
  }),
];
