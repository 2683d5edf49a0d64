import { secondFactorPage } from "@/routes/(_pages)/second_factor.ts";
import { SecondFactorDialog } from "@/components/account/SecondFactorDialog.tsx";
import { Frame } from "@/components/shell/Frame.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { enrolForm } from "@/lib/people/factors/schema.ts";
import { addSecondFactor } from "@/lib/people/factors/service.ts";
import { submitForm } from "@/lib/web/forms/form.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: ({ state, url }) => secondFactorPage(state, url),

  /**
   * Sets up the second factor. Does not redirect, because only this response shows the recovery
   * codes.
   */
  async POST({ state, url, req }) {
    const scope = userScope(state);
    const form = await submitForm(req, enrolForm, (value) => addSecondFactor(scope, value));
    if (!form.ok) return await secondFactorPage(state, url, { form }, 422);
    return await secondFactorPage(state, url, { codes: form.result });
  },
});

export default define.page<typeof handler>(({ data, state, url, req }) => {
  const { ui, deps } = state;
  const { projects, ...dialog } = data;
  return (
    <Frame
      {...frameOf(deps, signedIn(state), { url, req })}
      ui={ui}
      shell={null}
      projects={projects}
    >
      <Title ui={ui} parts={[ui.t("factors.title")]} />
      <SecondFactorDialog ui={ui} {...dialog} />
    </Frame>
  );
});
