import { ExtractValueFields, extractValueLabels } from "@/components/integrations/RuleFields.tsx";
import { RuleForm } from "@/components/integrations/RuleForm.tsx";
import { define } from "@/lib/web/state.ts";
import { extractValuePages } from "@/routes/(_pages)/integration_rules.ts";

export const handler = extractValuePages.form;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <RuleForm ui={ui} shell={shell} list="values" labels={extractValueLabels(ui)} {...data}>
    <ExtractValueFields ui={ui} form={data.form} isNew={data.rule === null} />
  </RuleForm>
));
