import { AcceptPage } from "@/components/drift/AcceptPage.tsx";
import { parseWith } from "@/lib/base/parse.ts";
import { acceptDrift } from "@/lib/drift/accept.ts";
import { acceptDriftForm, ACCEPTED_MAX } from "@/lib/drift/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { newForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { orBack } from "@/lib/web/pages/see_other.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define, type State } from "@/lib/web/state.ts";
import { chosenHosts, driftPageOfForm, sentTexts } from "@/routes/(_pages)/drift.ts";
import { dayBegin } from "@/routes/(_pages)/history.ts";

const form = formPage({
  rights: asMember("run_tasks"),
  bytesMax: LONG_FORM_BYTES_MAX,
  async find(scope, { url: { searchParams }, req: { method } }, sent) {
    const isSent = method === "POST";
    const texts = isSent ? sentTexts(sent) : (name: string) => searchParams.getAll(name);
    const chosen = await chosenHosts(scope, texts, ACCEPTED_MAX);
    const named = chosen.map(async ({ template, hosts }) => {
      const { id, name } = await getTemplate(scope, template);
      return { template: { id, name }, hosts };
    });
    const from = isSent ? sent.template : searchParams.get("template");
    return { chosen: await Promise.all(named), from: from ?? "" };
  },
  shown: () => newForm({ until: "", note: "" }),
  async save({ scope, typed: { until, note }, found: { chosen }, ctx: { state } }) {
    for (const { template, hosts } of chosen) {
      const accepted = { hosts, note, until: endOf(until, state) };
      await acceptDrift(scope, template.id, parseWith(acceptDriftForm, accepted));
    }
  },
  next: ({ scope, found: { from } }) => [
    driftPageOfForm(scope.projectId, from),
    "flash.drift.accepted",
  ],
});

/** Accepts differences up to and including the day that the form names. */
export const handler = define.handlers({
  ...form,
  GET(ctx) {
    const { state, url } = ctx;
    const path = driftPageOfForm(state.scope.projectId, url.searchParams.get("template"));
    return orBack(ctx, path, () => form.GET(ctx));
  },
});

/** Returns the end of a day in the reader's time zone. */
const endOf = (day = "", { ui }: State): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(dayBegin(day, ui.timeZone, 1)).toISOString() : day;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <AcceptPage ui={ui} shell={shell} {...data} />
));
