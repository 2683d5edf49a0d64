import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { FileRules } from "@/components/group_rules/FileRules.tsx";
import { RuleFields, ruleLabels, RULES } from "@/components/group_rules/RuleFields.tsx";
import { RulesEstimate } from "@/components/group_rules/RulesEstimate.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { paths } from "@/lib/base/paths.ts";
import { digest } from "@/lib/base/version.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { groupRulesForm } from "@/lib/people/group_rules/schema.ts";
import {
  estimateRules,
  listFileRules,
  listGivenRoles,
  readGroupRules,
  saveGroupRules,
} from "@/lib/people/group_rules/service.ts";
import { groupProviders } from "@/lib/people/sessions/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { withoutGaps, withRows } from "@/lib/web/forms/rows.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asAdmin } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

/** Marks rules that were shown together with the people they affect. Only such rules are saved. */
const SEEN = "seen";

export const handler = formPage({
  rights: asAdmin,
  async find(scope, _ctx, sent) {
    const [stored, projects, fileRules, roles] = await Promise.all([
      readGroupRules(scope),
      listProjects(scope),
      listFileRules(scope),
      listGivenRoles(scope),
    ]);
    return { stored, seen: sent[SEEN], projects, fileRules, roles };
  },
  shown: ({ stored }) => formOf(stored),
  button: ({ rule, ...values }) =>
    rule ? { form: { values: withRows(values, RULES, rule, "value"), errors: {} } } : null,
  read: ({ [SEEN]: _, ...sent }) => withoutGaps(sent),
  parse: (typed) => parseValues(typed, groupRulesForm),
  async save({ scope, value, found: { seen }, expected }) {
    const mark = digest(JSON.stringify(value), 16);
    if (seen !== mark) return { mark, estimate: await estimateRules(scope, value) };
    await saveGroupRules(scope, value, expected);
    return null;
  },
  next: ({ result, typed }) =>
    result
      ? { form: { values: { ...typed, [SEEN]: result.mark }, errors: {} }, extra: result.estimate }
      : [paths.groupRules(), "flash.group_rules.saved"],
  beside: (_form, _found, _ctx, estimate) => ({ estimate }),
});

export default define.page<typeof handler>(({ data, state: { ui, deps } }) => {
  const { form, estimate, projects, fileRules, roles } = data;
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
          <RuleFields {...{ ui, form, providers, projects, roles }} />
        </Form>
      </div>
    </>
  );
});
