import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { notFound } from "@/lib/base/errors.ts";
import { moveViews, viewService } from "@/lib/templates/views/service.ts";

/** Swaps a view with the one above it (-1) or below it (1), if there is one. */
export async function moveViewBy(
  scope: ProjectScope,
  id: number,
  steps: -1 | 1,
): Promise<void> {
  const views = await viewService.list(scope);
  const at = views.findIndex((view) => view.id === id);
  if (at < 0) throw notFound();
  const to = Math.max(0, at + steps);
  const moved = views.toSpliced(at, 1).toSpliced(to, 0, views[at])
    .map((view, position) => [view, position] as const)
    .filter(([view, position]) => view.position !== position);
  const positions = Object.fromEntries(moved.map(([view, position]) => [view.id, position]));
  await moveViews(await reopen(scope, "manage_resources"), positions);
}
