import { ruleFormObject, typedRule } from "@/components/access/RuleSection.tsx";
import { ViewForm } from "@/components/views/ViewForm.tsx";
import { paths } from "@/lib/base/paths.ts";
import { listAllRoles } from "@/lib/people/roles/service.ts";
import { listMembers } from "@/lib/people/team/service.ts";
import { viewForm } from "@/lib/templates/views/schema.ts";
import { changeView, viewService } from "@/lib/templates/views/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asMember("manage_resources"),
  find: async (scope, { params }) => ({
    view: await viewService.get(scope, pageId(params.viewId)),
  }),
  shown({ view }) {
    const { title, type, hidden, sort_column, sort_reverse } = view;
    const settings = { title, type, hidden, sort_column: sort_column || "name", sort_reverse };
    return formOf(view, { ...settings, ...ruleFormObject(view) });
  },
  parse: (typed) => parseValues(typed, viewForm),
  save: ({ scope, value, typed, found: { view }, expected }) =>
    changeView(scope, view.id, { ...value, ...typedRule(typed, value) }, expected),
  next: ({ scope, value: { title }, found: { view } }) => [
    paths.views(scope.projectId, view.id),
    "flash.views.saved",
    { title },
  ],
  beside: async (_form, _found, { state: { scope } }) => ({
    people: await listMembers(scope),
    roles: await listAllRoles(scope),
  }),
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ViewForm ui={ui} shell={shell} {...data} />
));
