import { reopen } from "@/lib/access/scope.ts";
import { titleField, ViewsEditor } from "@/components/views/ViewsEditor.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/pages/shell.ts";
import { moveViewBy, renameView } from "@/routes/(_pages)/views.ts";
import { viewForm } from "@/lib/templates/views/schema.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import { page } from "fresh";

async function viewsPage(state: State, form: FormState, status = 200) {
  const views = await viewService.list(state.scope);
  return page({ views, form }, { status });
}

/** Which row a form was of: the one field that it sends is named after it. */
function sentRow(values: Record<string, string>): number | "new" {
  const [, row] = Object.keys(values)[0]?.split(".") ?? [];
  return row === "new" ? row : pageId(row);
}

export const handler = define.handlers({
  async GET({ state }) {
    requirePermission(state.shell, "manage_resources");
    return await viewsPage(state, newForm());
  },

  async POST(ctx) {
    const { state, req } = ctx;
    const { shell: { project: { id: projectId } } } = state;
    requirePermission(state.shell, "manage_resources");
    const { up, down, ...values } = await readForm(req);
    const moved = up ?? down;
    if (moved !== undefined) {
      await moveViewBy(state.scope, pageId(moved), up === undefined ? 1 : -1);
      return seeOther(ctx, paths.views(projectId, pageId(moved)));
    }
    const row = sentRow(values);
    const field = titleField(row);
    const title = values[field];
    const saved = await saveForm(
      parseValues({ title }, viewForm),
      async (form) => {
        if (row === "new") {
          await viewService.create(await reopen(state.scope, "manage_resources"), form);
        } else await renameView(state.scope, row, form.title);
      },
    );
    if (!saved.ok) {
      const errors = { [field]: saved.errors.title ?? saved.errors[""] };
      return await viewsPage(state, { values, errors }, 422);
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
