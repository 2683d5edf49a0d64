import { page } from "fresh";
import { TemplateDriftPage } from "@/components/drift/TemplateDriftPage.tsx";
import { listDriftedChanges } from "@/lib/drift/drifted_changes.ts";
import { readDriftVersion } from "@/lib/drift/follow_drift.ts";
import { getTemplateDrift, listHostDrift } from "@/lib/drift/service.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";
import { driftPageOf, readDriftFilter } from "@/routes/(_pages)/drift.ts";

/** Changes per page. */
const PAGE_CHANGES = 10;

export const handler = define.handlers({
  async GET({ state: { scope, ui, deps }, params, url: { searchParams } }) {
    const template = await getTemplate(scope, pageId(params.templateId));
    const filter = { ...readDriftFilter(searchParams), template: template.id };
    const after = searchParams.get("after") || undefined;
    // Read before the lists, so that a change in between is reported.
    const version = await readDriftVersion(scope);
    const drift = await getTemplateDrift(scope, template.id);
    const [list, changes] = await Promise.all([
      listHostDrift(scope, driftPageOf(filter, after)),
      drift?.task_id
        ? listDriftedChanges(scope, template.id, drift.task_id, {
          after: searchParams.get("changes") ?? undefined,
          limit: PAGE_CHANGES,
        })
        : { changes: [], next: null },
    ]);
    const today = Temporal.Instant.fromEpochMilliseconds(deps.clock.now().getTime())
      .toZonedDateTimeISO(ui.timeZone).startOfDay().toInstant().toString();
    const { id, name } = template;
    const own = { ...filter, template: undefined };
    return page({
      template: { id, name },
      drift,
      ...list,
      filter: own,
      after,
      changes,
      today,
      version,
    });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <TemplateDriftPage ui={ui} shell={shell} {...data} />
));
