import type { ProjectScope } from "../access/scope.ts";
import { cachedWhile } from "../kv/cached.ts";
import { rowKeys } from "../kv/keys.ts";
import { onceFor } from "../base/once_for.ts";
import { sortByName } from "../i18n/by_name.ts";
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

/**
 * Returns outlines of the project's templates in order of id. Cached until a template changes,
 * because thousands of rows take long to read. Callers must not change them.
 */
export const listOutlines = (
  { deps: { kv }, projectId }: ProjectScope,
): Promise<TemplateOutline[]> =>
  cachedWhile(
    kv,
    [rowKeys.resourcesStamp("templates")],
    `outlines of ${projectId}`,
    async () => (await templateRows.list(kv, projectId)).map(outlineOf),
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

/** Returns the same in the reader's order of names. Sorting thousands of names takes long, too. */
export async function outlinesByName(
  scope: ProjectScope,
  language: Language,
): Promise<readonly TemplateOutline[]> {
  return sorted(await listOutlines(scope), language);
}

function sorted(
  outlines: readonly TemplateOutline[],
  language: Language,
): readonly TemplateOutline[] {
  const orders = ordersOf(outlines);
  const known = orders.get(language) ?? sortByName(language, outlines);
  orders.set(language, known);
  return known;
}

const ordersOf = onceFor((_outlines: readonly TemplateOutline[]) =>
  new Map<Language, readonly TemplateOutline[]>()
);
