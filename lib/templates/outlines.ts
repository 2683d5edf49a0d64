import type { ProjectScope } from "../access/scope.ts";
import { seenOf, sightOf } from "../access/sight.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import { onceFor } from "../base/once_for.ts";
import { oncePerLanguage, sortByName } from "../i18n/by_name.ts";
import type { Language } from "../i18n/catalogs.ts";
import { templateRows } from "./repository.ts";
import type { TemplateRow } from "./schema.ts";

/** The parts of a template that choices need, and lists that sort all of them. None is long. */
export type TemplateOutline = Pick<
  TemplateRow,
  | "id"
  | "name"
  | "type"
  | "playbook"
  | "view_id"
  | "inventory_id"
  | "environment_id"
  | "repository_id"
>;

type ProjectPart = Pick<ProjectScope, "deps" | "projectId">;

/**
 * Returns outlines of the templates that the actor sees, in order of id. Callers must not change
 * them.
 */
export async function listOutlines(scope: ProjectScope): Promise<TemplateOutline[]> {
  const [sight, all] = await Promise.all([sightOf(scope), listAllOutlines(scope)]);
  return seenOf(all, sight.hidden("templates"));
}

/**
 * Returns outlines of all of the project's templates. Cached until a template changes, because
 * thousands of rows take long to read.
 */
const listAllOutlines = (
  { deps: { kv }, projectId }: ProjectPart,
): Promise<TemplateOutline[]> =>
  cachedWhile(
    kv,
    [rowKeys.resourcesStamp("templates")],
    `outlines of ${projectId}`,
    () => templateRows.pick(kv, projectId, outlineOf),
  );

const outlineOf = (
  { id, name, type, playbook, view_id, inventory_id, environment_id, repository_id }: TemplateRow,
): TemplateOutline => ({
  id,
  name,
  type,
  playbook,
  view_id,
  inventory_id,
  environment_id,
  repository_id,
});

/** Returns the same in the reader's order of names. */
export const outlinesByName = async (
  scope: ProjectScope,
  language: Language,
): Promise<readonly TemplateOutline[]> => sorted(language, await listOutlines(scope));

const sorted = oncePerLanguage(sortByName<TemplateOutline>);

/** Returns the names of the project's templates by id. */
export const templateNames = async (scope: ProjectScope): Promise<ReadonlyMap<number, string>> =>
  namesOf(await listOutlines(scope));

const namesOf = onceFor((outlines: readonly TemplateOutline[]) =>
  new Map(outlines.map(({ id, name }) => [id, name]))
);
