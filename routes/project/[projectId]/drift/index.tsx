import { page } from "fresh";
import { DriftPage } from "@/components/drift/DriftPage.tsx";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import type { TemplateDrift } from "@/lib/drift/schema.ts";
import { readDriftVersion } from "@/lib/drift/follow_drift.ts";
import { countDrift, listHostDrift, listTemplateDrift } from "@/lib/drift/service.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { define } from "@/lib/web/state.ts";
import { driftPageOf, readDriftFilter } from "@/routes/(_pages)/drift.ts";

/** Templates on the page. */
const PAGE_TEMPLATES = 50;

/** Returns the checked template of the filter; null without one. */
async function findChosen(scope: ProjectScope, id = 0): Promise<TemplateDrift | null> {
  const { templates: [found] } = await listTemplateDrift(scope, { after: id - 1, limit: 1 });
  return found?.template_id === id ? found : null;
}

export const handler = define.handlers({
  async GET({ state: { scope, ui }, url: { searchParams } }) {
    const filter = readDriftFilter(searchParams);
    const after = searchParams.get("after") || undefined;
    // Read before the lists, so that a change in between is reported.
    const version = await readDriftVersion(scope);
    const templatesAfter = listNumber().parse(searchParams.get("templates") || undefined) ?? 0;
    const [counts, list, { templates, hasNext: hasMoreTemplates }, chosen, all] = await Promise.all(
      [
        countDrift(scope),
        listHostDrift(scope, driftPageOf(filter, after)),
        listTemplateDrift(scope, { after: templatesAfter, limit: PAGE_TEMPLATES }),
        findChosen(scope, filter.template),
        outlinesByName(scope, ui.language),
      ],
    );
    const checked = new Set(templates.map(({ template_id }) => template_id));
    const hasAllChecked = !hasMoreTemplates && templatesAfter === 0;
    const toCheck = hasAllChecked
      ? all.filter(({ id }) => !checked.has(id)).slice(0, PAGE_TEMPLATES)
      : [];
    const shown = { templates, templatesAfter, hasMoreTemplates, chosen, toCheck };
    return page({ counts, ...list, ...shown, filter, after, version });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <DriftPage ui={ui} shell={shell} {...data} />
));
