import { titleField, ViewsEditor } from "@/components/views/ViewsEditor.tsx";
import { notFound } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { viewForm, type ViewView } from "@/lib/templates/views/schema.ts";
import { renameView, viewService } from "@/lib/templates/views/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { moveViewBy } from "@/routes/(_pages)/templates/views.ts";

/** Returns the row of a sent form, which is part of the name of its text field. */
function sentRow(sent: FormValues): number | "new" {
  const field = Object.keys(sent).find((name) => name.startsWith(titleField("")));
  const row = field?.slice(titleField("").length) ?? "new";
  return row === "new" ? row : pageId(row);
}

const rowForm = (view: ViewView): FormState => formOf(view, { [titleField(view.id)]: view.title });

/** Shows a form for each view and one for a new one, and saves that of one row. */
export const handler = formPage({
  rights: asMember("manage_resources"),
  async find(scope, _ctx, sent) {
    const views = await viewService.list(scope);
    const row = sentRow(sent);
    const view = views.find(({ id }) => id === row) ?? null;
    if (!view && row !== "new") throw notFound();
    return { views, view, field: titleField(row) };
  },
  shown: ({ view }) => view ? rowForm(view) : newForm(),
  async button({ up, down }, _found, { state: { scope } }) {
    const moved = up ?? down;
    if (moved === undefined) return null;
    await moveViewBy(scope, pageId(moved), up === undefined ? 1 : -1);
    return [paths.views(scope.projectId, pageId(moved))];
  },
  parse(typed, { field }) {
    if (typed[field] === undefined) throw notFound();
    return parseValues({ title: typed[field] }, viewForm);
  },
  errorsAt: (errors, _typed, { field }) =>
    Object.fromEntries(Object.values(errors).map((error) => [field, error])),
  async save({ scope, value, found: { view }, expected }) {
    if (view) await renameView(scope, view.id, value.title, expected);
    else await viewService.create(scope, value);
  },
  next({ scope: { projectId }, typed, found: { view, field } }) {
    const title = { title: typed[field] };
    return view
      ? [paths.views(projectId, view.id), "flash.views.saved", title]
      : [`${paths.views(projectId)}#add-view`, "flash.views.created", title];
  },
  beside: (_form, { views }) => ({
    stored: new Map(views.map((view) => [view.id, rowForm(view)])),
  }),
});

export default define.page<typeof handler>(({ data, state }) => (
  <ViewsEditor ui={state.ui} shell={state.shell} {...data} />
));
