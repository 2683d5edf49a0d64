import { MatcherFields, matcherLabels } from "@/components/integrations/RuleFields.tsx";
import { RuleForm } from "@/components/integrations/RuleForm.tsx";
import { define } from "@/lib/web/state.ts";
import { matcherPages } from "@/routes/(_pages)/integration_rules.ts";

export const handler = matcherPages.form;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <RuleForm ui={ui} shell={shell} list="matchers" labels={matcherLabels(ui)} {...data}>
    <MatcherFields ui={ui} form={data.form} isNew={data.rule === null} />
  </RuleForm>
));
