import { SecondFactorDialog } from "@/components/account/SecondFactorDialog.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { enrolForm } from "@/lib/people/factors/schema.ts";
import { addSecondFactor } from "@/lib/people/factors/service.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { define } from "@/lib/web/state.ts";
import { factorForm } from "@/routes/(_pages)/account/second_factor.ts";

/** Does not redirect, because only this response shows the recovery codes. */
export const handler = factorForm({
  parse: (typed) => parseValues(typed, enrolForm),
  save: ({ scope, value }) => addSecondFactor(scope, value),
  next: ({ result }) => ({ form: newForm(), extra: result }),
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <>
    <Title ui={ui} parts={[ui.t("factors.title")]} />
    <SecondFactorDialog ui={ui} {...data} />
  </>
));
