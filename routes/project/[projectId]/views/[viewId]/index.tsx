import { ViewForm } from "@/components/views/ViewForm.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { viewForm, type ViewView } from "@/lib/templates/views/schema.ts";
import { changeView, viewService } from "@/lib/templates/views/service.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { page } from "fresh";

const storedForm = (view: ViewView): FormState => {
  const { title, type, hidden, sort_column, sort_reverse } = view;
  return formOf(view, { title, type, hidden, sort_column: sort_column || "name", sort_reverse });
};

export const handler = define.handlers({
  async GET({ state, params }) {
    requirePermission(state.shell, "manage_resources");
    const view = await viewService.get(state.scope, pageId(params.viewId));
    return page({ view, form: restoredForm(state) ?? storedForm(view) });
  },

  async POST(ctx) {
    const { state, params, req } = ctx;
    requirePermission(state.shell, "manage_resources");
    const view = await viewService.get(state.scope, pageId(params.viewId));
    const values = withChoices(await readForm(req), storedForm(view));
    const saved = await saveForm(parseValues(values, viewForm), async (form) => {
      const manager = await reopen(state.scope, "manage_resources");
      await changeView(manager, view.id, form, expectedOf(values));
      return form.title;
    });
    if (saved.ok) {
      const list = paths.views(state.scope.projectId, view.id);
      return seeOther(ctx, list, "flash.views.saved", { title: saved.result });
    }
    const readNow = async () => storedForm(await viewService.get(state.scope, view.id));
    const { form, status } = await refusedForm(values, saved.errors, readNow);
    return page({ view, form }, { status });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ViewForm ui={ui} shell={shell} {...data} />
));
