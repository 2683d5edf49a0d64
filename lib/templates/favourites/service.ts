import type { ProjectScope } from "../../access/scope.ts";
import { requireSeen } from "../../access/sight.ts";
import { getProjectEntry } from "../../model/projects.ts";
import { conflict, forbidden, notFound } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { getFavourites } from "./repository.ts";

/** More than anyone needs at the top of a list. */
const FAVOURITES_MAX = 100;

/** The actor's favourites, which are at the top of the project's list. No one else sees them. */
export async function listFavourites(
  { deps: { kv }, actor, projectId }: ProjectScope,
): Promise<Set<number>> {
  if (actor.kind !== "user") return new Set();
  return new Set((await getFavourites(kv, projectId, actor.id)).ids);
}

/** Adds a template to the actor's favourites, or removes it. Throws 409 when the list is full. */
export async function setFavourite(
  scope: ProjectScope,
  templateId: number,
  isFavourite: boolean,
): Promise<void> {
  const { deps: { kv }, actor, projectId } = scope;
  await requireSeen(scope, "templates", templateId);
  if (actor.kind !== "user") throw forbidden();
  await transact(kv, async (op) => {
    const { entry, ids } = await getFavourites(kv, projectId, actor.id);
    const others = ids.filter((id) => id !== templateId);
    op.check(entry);
    if (!isFavourite) {
      if (others.length > 0) op.set(entry.key, others);
      else op.delete(entry.key);
      return;
    }
    if (others.length >= FAVOURITES_MAX) {
      throw conflict("errors.list_full", { max: FAVOURITES_MAX });
    }
    // A deletion in parallel either removes this favourite, or makes the commit fail.
    const project = await getProjectEntry(kv, projectId);
    const [user, template] = await kv.getMany([
      rowKeys.user(actor.id),
      rowKeys.resource("templates", projectId, templateId),
    ]);
    if (user.versionstamp === null || template.versionstamp === null) throw notFound();
    op.check(project, user, template).set(entry.key, [...others, templateId]);
  });
}
