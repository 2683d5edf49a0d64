import type { Actor } from "@/lib/access/actor.ts";
import type { Deps } from "@/lib/access/deps.ts";
import { notFound } from "@/lib/base/errors.ts";
import { getView, listViews, moveViews, updateView } from "@/lib/templates/views/service.ts";

/** Moves a view past its neighbour: the one above it (-1), or below it (1), if there is one. */
export async function moveViewBy(
  deps: Deps,
  actor: Actor,
  projectId: number,
  id: number,
  places: -1 | 1,
): Promise<void> {
  const views = await listViews(deps, actor, projectId);
  const at = views.findIndex((view) => view.id === id);
  if (at < 0) throw notFound();
  const to = Math.max(0, at + places);
  const moved = views.toSpliced(at, 1).toSpliced(to, 0, views[at])
    .map((view, position) => [view, position] as const)
    .filter(([view, position]) => view.position !== position);
  const positions = Object.fromEntries(moved.map(([view, position]) => [view.id, position]));
  await moveViews(deps, actor, projectId, positions);
}

/** Gives a view another title, where it stands. */
export async function renameView(
  deps: Deps,
  actor: Actor,
  projectId: number,
  id: number,
  title: string,
): Promise<void> {
  const { position } = await getView(deps, actor, projectId, id);
  await updateView(deps, actor, projectId, id, { title, position });
}
