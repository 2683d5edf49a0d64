import { listTemplates } from "@/lib/templates/service.ts";
import { viewOperations } from "@/lib/templates/views/operations.ts";
import {
  createView,
  deleteView,
  getView,
  listViews,
  moveViews,
  updateView,
} from "@/lib/templates/views/service.ts";
import { bind } from "@/lib/web/bind.ts";

export const views = bind(viewOperations, {
  list: ({ scope }) => listViews(scope),
  create: ({ scope, body }) => createView(scope, body),
  get: ({ scope, ids }) => getView(scope, ids.viewId),
  update: ({ scope, ids, body }) => updateView(scope, ids.viewId, body),
  delete: ({ scope, ids }) => deleteView(scope, ids.viewId),
  move: ({ scope, body }) => moveViews(scope, body),
  listTemplates: ({ scope, ids, url }) =>
    listTemplates(scope, { viewId: ids.viewId, sort: url.searchParams }),
});
