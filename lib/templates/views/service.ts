import type { ProjectScope } from "../../access/scope.ts";
import { notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import type { Ref } from "../../kv/keys.ts";
import { listReferences } from "../../kv/references.ts";
import { transact } from "../../kv/transact.ts";
import { templateRows } from "../repository.ts";
import { viewRows } from "./repository.ts";
import type { PositionsForm, ViewForm, ViewRow, ViewView } from "./schema.ts";

/** The project's views in their order. */
export async function listViews({ deps, projectId }: ProjectScope): Promise<ViewView[]> {
  return (await viewRows.list(deps.kv, projectId))
    .toSorted((a, b) => a.position - b.position || a.id - b.id);
}

/** One view. */
export async function getView({ deps, projectId }: ProjectScope, id: number): Promise<ViewView> {
  return await viewRows.get(deps.kv, projectId, id);
}

/** Adds a view: as the last one, unless it is told another position. */
export async function createView(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  { title, position }: ViewForm,
): Promise<ViewView> {
  const others = await viewRows.list(deps.kv, projectId);
  const row: ViewRow = {
    id: await nextId(deps.kv, "views"),
    project_id: projectId,
    title,
    position: position ?? Math.max(-1, ...others.map((view) => view.position)) + 1,
  };
  await transact(deps.kv, async (op) => {
    await viewRows.insert(deps.kv, op, row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "created" });
  });
  return row;
}

/** Renames a view, or moves it. */
export async function updateView(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  { title, position }: ViewForm,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const row = await viewRows.update(deps.kv, op, projectId, id, (row) => ({
      ...row,
      title,
      position: position ?? 0,
    }));
    recordEvent(op, deps, actor, { ...eventOf(row), action: "updated" });
  });
}

/** A commit takes 10 checks; each view and each template takes one, and the view that goes two. */
const BATCH = 8;

/** Moves views. Throws 404, before any of them moved, when one is not of this project. */
export async function moveViews(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  positions: PositionsForm,
): Promise<void> {
  const known = new Set((await viewRows.list(deps.kv, projectId)).map(({ id }) => id));
  const moves = Object.entries(positions).map(([id, position]) => ({ id: Number(id), position }));
  if (moves.some(({ id }) => !known.has(id))) throw notFound();
  for (let i = 0; i < moves.length; i += BATCH) {
    await transact(deps.kv, async (op) => {
      for (const { id, position } of moves.slice(i, i + BATCH)) {
        await viewRows.update(deps.kv, op, projectId, id, (row) => ({ ...row, position }));
      }
      if (i > 0) return;
      const [{ id }] = moves;
      recordEvent(op, deps, actor, { projectId, object: "view", id, name: "", action: "moved" });
    });
  }
}

/** Deletes a view. Its templates stay, without a view. */
export async function deleteView(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
): Promise<void> {
  const { kv } = deps;
  const view: Ref = ["views", id];
  // One commit cannot let go of hundreds; the last ones go together with the view.
  for (;;) {
    const shown = await listReferences(kv, projectId, view);
    if (shown.length <= BATCH) break;
    await transact(kv, (op) => hideTemplates(kv, op, projectId, id, shown.slice(0, BATCH)));
  }
  await transact(kv, async (op) => {
    const row = await viewRows.remove(kv, op, projectId, id, async (shown) => {
      await hideTemplates(kv, op, projectId, id, shown.slice(0, BATCH));
      return shown.slice(BATCH);
    });
    recordEvent(op, deps, actor, { ...eventOf(row), action: "deleted" });
  });
}

/** Adds to `op` that these templates are shown in no view, where they still are in `viewId`. */
async function hideTemplates(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
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

const eventOf = (row: ViewRow) =>
  ({ projectId: row.project_id, object: "view", id: row.id, name: row.title }) as const;
