import { accessChanged } from "../../access/changed.ts";
import { accessRuleView, storedAccessRule } from "../../access/rules/schema.ts";
import { requireUsableRule } from "../../access/rules/require.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { requireMayEdit, requireSeen, seenOf, sightOf } from "../../access/sight.ts";
import type { AccessRule } from "../../model/access_rule.ts";
import { forbidden, notFound } from "../../base/errors.ts";
import { type Expected, requireVersion } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import type { Ref } from "../../store/keys.ts";
import { listReferences, type References } from "../../store/references.ts";
import { type ResourceService, resourceService } from "../../resources/common/service.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { templateRows } from "../repository.ts";
import { viewRows } from "./repository.ts";
import type { PositionsForm, ViewForm, ViewRow, ViewView } from "./schema.ts";

const views = resourceService<ViewRow, ViewView, ViewForm>({
  rows: viewRows,
  event: ({ title }) => ({ object: "view", name: title }),
  view: (row) => ({
    hidden: false,
    type: "",
    sort_column: null,
    sort_reverse: false,
    ...row,
    ...accessRuleView(row),
  }),
  async fields(scope, { position, ...form }, stored) {
    const settings = viewSettings(form, stored ?? {});
    await requireUsableRule(scope, settings, stored ?? {});
    return { ...settings, position: position ?? (stored ? 0 : await lastPosition(scope)) };
  },
});

/** Returns the members of a row that a form has set. */
export const viewSettings = (
  { title, hidden, type, sort_column, sort_reverse, ...rule }: Omit<ViewForm, "position">,
  stored: AccessRule,
) => ({
  title,
  ...hidden && { hidden },
  ...type && { type },
  ...sort_column !== null && { sort_column },
  ...sort_reverse && { sort_reverse },
  ...storedAccessRule(rule, stored),
});

export const viewService: ResourceService<ViewView, ViewForm> = {
  list: listViews,
  get: getView,
  create: views.create,
  update: updateView,
  delete: deleteView,
  references: viewReferences,
};

/** Changes all of a view but its position. Throws 412 if the stored view is not `expected`. */
export async function changeView(
  scope: ProjectScope<"manage_resources">,
  id: number,
  form: ViewForm,
  expected: Expected,
): Promise<void> {
  await requireMayEdit(scope, "views", id);
  await views.edit(
    scope,
    id,
    async ({ id, project_id, position, ...stored }) => {
      const settings = viewSettings(form, stored);
      await requireUsableRule(scope, settings, stored);
      return { id, project_id, ...settings, position };
    },
    expected,
  );
  await accessChanged(scope.deps, { project_id: scope.projectId, user_id: null });
}

/** Changes the title of a view alone. Throws 412 if the stored view is not `expected`. */
export async function renameView(
  scope: ProjectScope<"manage_resources">,
  id: number,
  title: string,
  expected: Expected,
): Promise<void> {
  await requireMayEdit(scope, "views", id);
  await views.edit(scope, id, (row) => ({ ...row, title }), expected);
}

async function getView(scope: ProjectScope, id: number): Promise<ViewView> {
  await requireSeen(scope, "views", id);
  return await views.get(scope, id);
}

async function viewReferences(scope: ProjectScope, id: number): Promise<References> {
  await requireSeen(scope, "views", id);
  return await views.references(scope, id);
}

async function updateView(
  scope: ProjectScope<"manage_resources">,
  id: number,
  form: ViewForm,
  expected?: Expected,
): Promise<void> {
  await requireMayEdit(scope, "views", id);
  await views.update(scope, id, form, expected);
  await accessChanged(scope.deps, { project_id: scope.projectId, user_id: null });
}

/** The views that the actor sees, sorted by position. */
async function listViews(scope: ProjectScope): Promise<ViewView[]> {
  const [sight, all] = await Promise.all([sightOf(scope), views.list(scope)]);
  return seenOf(all, sight.hidden("views")).toSorted((a, b) =>
    a.position - b.position || a.id - b.id
  );
}

async function lastPosition(scope: ProjectScope): Promise<number> {
  return Math.max(-1, ...(await views.list(scope)).map(({ position }) => position)) + 1;
}

/**
 * Views or templates per commit. A commit takes 10 checks: one for each view or template, and two
 * for the deleted view.
 */
const BATCH = 8;

/**
 * Moves views. Throws before any change: 404 if the actor does not see one of them in this project,
 * and 403 if they may not edit one that would change its position.
 */
export async function moveViews(
  scope: ProjectScope<"manage_resources">,
  positions: PositionsForm,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const [sight, views] = await Promise.all([sightOf(scope), viewRows.list(deps.kv, projectId)]);
  const known = new Map(views.map((view) => [view.id, view]));
  const moves = Object.entries(positions).map(([id, position]) => ({ id: Number(id), position }));
  if (moves.some(({ id }) => !known.has(id) || !sight.maySee("views", id))) throw notFound();
  const isMoved = ({ id, position }: typeof moves[number]) => known.get(id)!.position !== position;
  if (moves.some((move) => isMoved(move) && !sight.mayEdit("views", move.id))) throw forbidden();
  for (let i = 0; i < moves.length; i += BATCH) {
    await transact(deps.kv, async (op) => {
      for (const { id, position } of moves.slice(i, i + BATCH)) {
        await viewRows.update(deps.kv, op, projectId, id, (row) => ({ ...row, position }));
      }
      if (i > 0) return;
      const [{ id }] = moves;
      const event = { projectId, object: "view", id, name: "", action: "moved" } as const;
      const positioned = (position: (view: ViewRow) => number) => ({
        views: moves.map(({ id }) => known.get(id)!)
          .map((view) => ({ name: view.title, position: position(view) })),
      });
      await recordChange(op, deps, actor, event, {
        before: positioned((view) => view.position),
        after: positioned((view) => positions[view.id]),
      });
    });
  }
}

/**
 * Deletes a view. Its templates stay, without a view. The rule of the view ends with it, as it does
 * when the same people change the rule.
 */
async function deleteView(
  scope: ProjectScope<"manage_resources">,
  id: number,
  expected?: Expected,
): Promise<void> {
  const { deps: { kv }, projectId } = scope;
  await requireMayEdit(scope, "views", id);
  requireVersion(await viewRows.get(kv, projectId, id), expected); // before any template is changed
  const view: Ref = ["views", id];
  // One commit cannot change hundreds of templates. The last ones change together with the view.
  for (;;) {
    const shown = await listReferences(kv, projectId, view);
    if (shown.length <= BATCH) break;
    await transact(kv, (op) => hideTemplates(kv, op, projectId, id, shown.slice(0, BATCH)));
  }
  await views.remove(scope, id, expected, async (shown, op) => {
    await hideTemplates(kv, op, projectId, id, shown.slice(0, BATCH));
    return shown.slice(BATCH);
  });
}

/** Adds to `op` that these templates belong to no view, unless they left `viewId` meanwhile. */
async function hideTemplates(
  kv: Store,
  op: Atomic,
  projectId: number,
  viewId: number,
  templates: Ref[],
) {
  for (const [, id] of templates) {
    if (!await templateRows.find(kv, projectId, id)) continue;
    await templateRows.update(
      kv,
      op,
      projectId,
      id,
      (row) => row.view_id === viewId ? { ...row, view_id: null } : row,
    );
  }
}
