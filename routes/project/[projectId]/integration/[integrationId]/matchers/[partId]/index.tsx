import { MatcherFields, matcherLabels } from "@/components/integrations/PartFields.tsx";
import { PartForm } from "@/components/integrations/PartForm.tsx";
import { define } from "@/lib/web/state.ts";
import { matcherPages } from "@/routes/(_pages)/integration_parts.ts";

export const handler = matcherPages.form;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <PartForm ui={ui} shell={shell} list="matchers" labels={matcherLabels(ui)} {...data}>
    <MatcherFields ui={ui} form={data.form} isNew={data.part === null} />
  </PartForm>
));
