import { page } from "fresh";
import { CodeStep } from "@/components/auth/CodeStep.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { codeForm } from "@/lib/people/factors/schema.ts";
import { SIGN_IN_BYTES_MAX } from "@/lib/people/sessions/schema.ts";
import { signInWithCode, waitsForCode } from "@/lib/people/sessions/service.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { newForm, submitForm } from "@/lib/web/forms/form.ts";
import { setFlash } from "@/lib/web/pages/flash.ts";
import { signInResponse } from "@/lib/web/pages/signed_in.ts";
import { signInOrigin, stepOf } from "@/lib/web/session_cookies.ts";
import { define } from "@/lib/web/state.ts";

/** Second step of signing in: a code after the correct password. */
export const handler = define.handlers({
  async GET(ctx) {
    const { deps, ui } = ctx.state;
    if (await waitsForCode(deps, stepOf(ctx.req.headers))) return page({ form: newForm() });
    return ctx.redirect(ui.href(paths.signIn() + ctx.url.search), 303);
  },

  async POST(ctx) {
    const { deps, ui } = ctx.state;
    const { headers } = ctx.req;
    const step = stepOf(headers);
    const origin = signInOrigin(headers, clientAddress(deps.config, headers, ctx.info.remoteAddr));
    const form = await submitForm(
      ctx.req,
      codeForm,
      (value) => signInWithCode(deps, step, value, origin),
      { shownStatuses: [401, 429], bytesMax: SIGN_IN_BYTES_MAX },
    );
    if (form.ok) return signInResponse(ctx, form.result);
    if (await waitsForCode(deps, step)) return page({ form }, { status: 422 });
    const response = ctx.redirect(ui.href(paths.signIn() + ctx.url.search), 303);
    const flash = { kind: "danger", key: "flash.code_step_over" } as const;
    setFlash(response.headers, deps.config, ctx.url, flash);
    return response;
  },
});

export default define.page<typeof handler>(({ data, state: { ui }, url }) => (
  <>
    <Title ui={ui} parts={[ui.t("code_step.title")]} />
    <CodeStep ui={ui} form={data.form} query={url.search} />
  </>
));
