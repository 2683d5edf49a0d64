import { page } from "fresh";
import { AcceptPage } from "@/components/drift/AcceptPage.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { acceptDrift } from "@/lib/drift/accept.ts";
import { acceptDriftForm } from "@/lib/drift/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { type FormState, newForm, saveForm } from "@/lib/web/forms/form.ts";
import { type FormValues, readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { orBack, seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";
import { chosenHosts, requireHosts } from "@/routes/(_pages)/drift.ts";
import { dayBegin } from "@/routes/(_pages)/history.ts";

async function formPage(
  { shell, scope }: State,
  templateId: number,
  hosts: string[],
  form: FormState,
  status = 200,
) {
  requirePermission(shell, "run_tasks");
  requireHosts(hosts);
  const { id, name } = await getTemplate(scope, templateId);
  return page({ template: { id, name }, hosts, form }, { status });
}

/** Accepts differences up to and including the day that the form names. */
export const handler = define.handlers({
  GET(ctx) {
    const { state, params, url } = ctx;
    const id = pageId(params.templateId);
    const hosts = url.searchParams.getAll("hosts");
    return orBack(
      ctx,
      paths.templateDrift(state.scope.projectId, id),
      () => formPage(state, id, hosts, newForm({ until: "", note: "" })),
    );
  },

  async POST(ctx) {
    const { state } = ctx;
    const id = pageId(ctx.params.templateId);
    const values = await readForm(ctx.req);
    const hosts = chosenHosts(values);
    const scope = await reopen(state.scope, "run_tasks");
    const saved = await saveForm(
      { ok: true, value: values, values, errors: {} },
      ({ until, note }) =>
        acceptDrift(
          scope,
          id,
          parseWith(acceptDriftForm, { hosts, note, until: endOf(until, state) }),
        ),
    );
    if (!saved.ok) return await formPage(state, id, hosts, saved, 422);
    return seeOther(ctx, paths.templateDrift(scope.projectId, id), "flash.drift.accepted");
  },
});

/** Returns the end of a day in the reader's time zone. */
const endOf = (day: FormValues[string] | undefined, { ui }: State): string =>
  /^\d{4}-\d\d-\d\d$/.test(day ?? "")
    ? new Date(dayBegin(day!, ui.timeZone, 1)).toISOString()
    : day ?? "";

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <AcceptPage ui={ui} shell={shell} {...data} />
));
