import { requireAdmin } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { FileRules } from "@/components/group_rules/FileRules.tsx";
import { RuleFields, ruleLabels, RULES } from "@/components/group_rules/RuleFields.tsx";
import { RulesEstimate } from "@/components/group_rules/RulesEstimate.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { define, type State, userScope } from "@/lib/web/state.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { type FormValues, readForm } from "@/lib/web/forms/read_form.ts";
import { withoutGaps, withRows } from "@/lib/web/forms/rows.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { digest } from "@/lib/base/version.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { groupRulesForm, type RulesEstimate as Estimate } from "@/lib/people/group_rules/schema.ts";
import {
  estimateRules,
  listFileRules,
  readGroupRules,
  saveGroupRules,
} from "@/lib/people/group_rules/service.ts";
import { groupProviders } from "@/lib/people/sessions/service.ts";

/** Marks rules that were shown together with the people they affect. Only such rules are saved. */
const SEEN = "seen";

async function rulesPage(
  state: State,
  form: FormState,
  { status = 200, estimate = null }: { status?: number; estimate?: Estimate | null } = {},
) {
  const scope = userScope(state);
  const [projects, fileRules] = await Promise.all([
    listProjects(scope),
    listFileRules(requireAdmin(scope)),
  ]);
  return page({ form, estimate, projects, fileRules }, { status });
}

const storedRules = async (state: State): Promise<FormState> =>
  formOf(await readGroupRules(requireAdmin(userScope(state))));

/**
 * Returns the form after a button that adds or removes a row; null if another button was pressed.
 */
function redrawn({ rule, ...values }: FormValues): FormValues | null {
  return rule ? withRows(values, RULES, rule, "value") : null;
}

export const handler = define.handlers({
  GET: async ({ state }) => await rulesPage(state, restoredForm(state) ?? await storedRules(state)),

  async POST(ctx) {
    const { state } = ctx;
    const scope = requireAdmin(userScope(state));
    const sent = await readForm(ctx.req);
    const rows = redrawn(sent);
    if (rows) return await rulesPage(state, { values: rows, errors: {} });
    const { [SEEN]: seen, ...typed } = sent;
    const values = withoutGaps(withChoices(typed, await storedRules(state)));
    const parsed = parseValues(values, groupRulesForm);
    if (parsed.ok) {
      const mark = digest(JSON.stringify(parsed.value), 16);
      if (seen !== mark) {
        const estimate = await estimateRules(scope, parsed.value);
        const shown = { values: { ...values, [SEEN]: mark }, errors: {} };
        return await rulesPage(state, shown, { estimate });
      }
    }
    const form = await saveForm(
      parsed,
      (rules) => saveGroupRules(scope, rules, expectedOf(values)),
    );
    if (!form.ok) {
      const refused = await refusedForm(values, form.errors, () => storedRules(state));
      return await rulesPage(state, refused.form, { status: refused.status });
    }
    return seeOther(ctx, paths.groupRules(), "flash.group_rules.saved");
  },
});

export default define.page<typeof handler>(({ data, state: { ui, deps } }) => {
  const { form, estimate, projects, fileRules } = data;
  const title = ui.t("group_rules.title");
  const providers = groupProviders(deps);
  return (
    <>
      <AdminHeader ui={ui} title={title} />
      <div class="grid grid-cols-1 gap-6">
        <p class="m-0 max-w-2xl">{ui.t("group_rules.intro")}</p>
        {fileRules.length > 0 && <FileRules ui={ui} rules={fileRules} projects={projects} />}
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.groupRules())}
          cancel={ui.href(paths.users())}
          save={ui.t(estimate ? "group_rules.save" : "group_rules.preview")}
          labels={ruleLabels(ui, form)}
        >
          {estimate && <RulesEstimate ui={ui} estimate={estimate} />}
          {estimate && <input type="hidden" name={SEEN} value={form.values[SEEN]} />}
          <RuleFields ui={ui} form={form} providers={providers} projects={projects} />
        </Form>
      </div>
    </>
  );
});
