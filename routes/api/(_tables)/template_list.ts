import type { ProjectScope } from "@/lib/access/scope.ts";
import type { SortParams } from "@/lib/references/sort.ts";
import { type TemplateFilter, templatesAskedFor } from "@/lib/templates/filter.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { getTemplates, listTemplates, outlinesOf } from "@/lib/templates/lists.ts";
import { Listing } from "@/lib/web/api/answer.ts";

interface Asked {
  viewId?: number;
  sort: SortParams;
  filter?: TemplateFilter;
}

/**
 * Returns the templates of a project or view. Clients poll them, so a short list is cached as it is
 * answered. Of a long one, only the templates that are asked for are read.
 */
export async function templateList(
  scope: ProjectScope,
  { filter = {}, ...asked }: Asked,
): Promise<TemplateView[] | Listing<TemplateView>> {
  const short = await listTemplates(scope, asked);
  if (short) return templatesAskedFor(short, filter);
  return new Listing(
    templatesAskedFor(await outlinesOf(scope, asked), filter),
    (ids) => getTemplates(scope, ids),
  );
}
