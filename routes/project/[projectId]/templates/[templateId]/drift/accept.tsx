import { AcceptPage } from "@/components/drift/AcceptPage.tsx";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { acceptDrift } from "@/lib/drift/accept.ts";
import { acceptDriftForm } from "@/lib/drift/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { newForm } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { orBack } from "@/lib/web/pages/see_other.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define, type State } from "@/lib/web/state.ts";
import { chosenHosts, requireHosts } from "@/routes/(_pages)/drift.ts";
import { dayBegin } from "@/routes/(_pages)/history.ts";

const form = formPage({
  rights: asMember("run_tasks"),
  async find(scope, { params, url, req: { method } }, sent) {
    const hosts = method === "POST" ? chosenHosts(sent) : url.searchParams.getAll("hosts");
    requireHosts(hosts);
    const { id, name } = await getTemplate(scope, pageId(params.templateId));
    return { template: { id, name }, hosts };
  },
  shown: () => newForm({ until: "", note: "" }),
  save({ scope, typed: { until, note }, found: { template, hosts }, ctx: { state } }) {
    const accepted = { hosts, note, until: endOf(until, state) };
    return acceptDrift(scope, template.id, parseWith(acceptDriftForm, accepted));
  },
  next: ({ scope, found: { template } }) => [
    paths.templateDrift(scope.projectId, template.id),
    "flash.drift.accepted",
  ],
});

/** Accepts differences up to and including the day that the form names. */
export const handler = define.handlers({
  ...form,
  GET(ctx) {
    const { state, params } = ctx;
    const path = paths.templateDrift(state.scope.projectId, pageId(params.templateId));
    return orBack(ctx, path, () => form.GET(ctx));
  },
});

/** Returns the end of a day in the reader's time zone. */
const endOf = (day = "", { ui }: State): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(dayBegin(day, ui.timeZone, 1)).toISOString() : day;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <AcceptPage ui={ui} shell={shell} {...data} />
));
