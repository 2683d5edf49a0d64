import { ExtractValueFields, extractValueLabels } from "@/components/integrations/PartFields.tsx";
import { PartForm } from "@/components/integrations/PartForm.tsx";
import { define } from "@/lib/web/state.ts";
import { extractValuePages } from "@/routes/(_pages)/integration_parts.ts";

export const handler = extractValuePages.form;

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <PartForm ui={ui} shell={shell} list="values" labels={extractValueLabels(ui)} {...data}>
    <ExtractValueFields ui={ui} form={data.form} isNew={data.part === null} />
  </PartForm>
));
