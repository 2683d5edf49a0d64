import { page } from "fresh";
import { DriftPage } from "@/components/drift/DriftPage.tsx";
import { readDriftVersion } from "@/lib/drift/follow_drift.ts";
import { countDrift, listHostDrift, listTemplateDrift } from "@/lib/drift/service.ts";
import { define } from "@/lib/web/state.ts";
import { driftPageOf, readDriftFilter } from "@/routes/(_pages)/drift.ts";

/** Checked templates on the page. */
const PAGE_TEMPLATES = 50;

export const handler = define.handlers({
  async GET({ state: { scope }, url: { searchParams } }) {
    const filter = readDriftFilter(searchParams);
    const after = searchParams.get("after") || undefined;
    // Read before the lists, so that a change in between is reported.
    const version = await readDriftVersion(scope);
    const [counts, list, { templates }] = await Promise.all([
      countDrift(scope),
      listHostDrift(scope, driftPageOf(filter, after)),
      listTemplateDrift(scope, { limit: PAGE_TEMPLATES }),
    ]);
    return page({ counts, ...list, templates, filter, after, version });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <DriftPage ui={ui} shell={shell} {...data} />
));
