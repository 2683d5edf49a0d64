import { reopen } from "@/lib/access/scope.ts";
import { titleField, ViewsEditor } from "@/components/views/ViewsEditor.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { moveViewBy, renameView } from "@/routes/(_pages)/views.ts";
import { viewForm, type ViewView } from "@/lib/templates/views/schema.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import { page } from "fresh";

async function viewsPage(state: State, form: FormState, status = 200) {
  const views = await viewService.list(state.scope);
  const stored = new Map(views.map((view) => [view.id, viewRowForm(view)]));
  return page({ views, stored, form }, { status });
}

/** Returns the row of a sent form, which is part of the name of its text field. */
function sentRow(values: Record<string, string>): number | "new" {
  const field = Object.keys(values).find((name) => name.startsWith(titleField("")));
  const row = field?.slice(titleField("").length);
  return row === "new" ? row : pageId(row);
}

/** Returns the form of a row with its stored values. */
async function rowForm(state: State, row: number | "new"): Promise<FormState> {
  if (row === "new") return newForm();
  return viewRowForm(await viewService.get(state.scope, row));
}

const viewRowForm = (view: ViewView): FormState =>
  formOf(view, { [titleField(view.id)]: view.title });

export const handler = define.handlers({
  async GET({ state }) {
    requirePermission(state.shell, "manage_resources");
    return await viewsPage(state, restoredForm(state) ?? newForm());
  },

  async POST(ctx) {
    const { state, req } = ctx;
    const { shell: { project: { id: projectId } } } = state;
    requirePermission(state.shell, "manage_resources");
    const { up, down, ...typed } = await readForm(req);
    const moved = up ?? down;
    if (moved !== undefined) {
      await moveViewBy(state.scope, pageId(moved), up === undefined ? 1 : -1);
      return seeOther(ctx, paths.views(projectId, pageId(moved)));
    }
    const row = sentRow(typed);
    const values = withChoices(typed, await rowForm(state, row));
    const field = titleField(row);
    const title = values[field];
    const saved = await saveForm(
      parseValues({ title }, viewForm),
      async (form) => {
        if (row === "new") {
          await viewService.create(await reopen(state.scope, "manage_resources"), form);
        } else await renameView(state.scope, row, form.title, expectedOf(values));
      },
    );
    if (!saved.ok) {
      const refused = await refusedForm(values, saved.errors, () => rowForm(state, row));
      const errors = { [field]: saved.errors.title ?? saved.errors[""] };
      const form = refused.form.conflict ? refused.form : { values, errors };
      return await viewsPage(state, form, refused.status);
    }
    if (row === "new") {
      return seeOther(ctx, `${paths.views(projectId)}#add-view`, "flash.views.created", { title });
    }
    return seeOther(ctx, paths.views(projectId, row), "flash.views.saved", { title });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ViewsEditor ui={state.ui} shell={state.shell} {...data} />
));
