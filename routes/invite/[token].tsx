import { type Context, page } from "fresh";
import { AnswerInvite } from "@/components/auth/AnswerInvite.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import {
  acceptInvite,
  declineInvite,
  joinAsNewPerson,
  readInvite,
} from "@/lib/people/invites/accept.ts";
import { joinForm } from "@/lib/people/invites/schema.ts";
import { SIGN_IN_BYTES_MAX } from "@/lib/people/sessions/schema.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { signInOrigin } from "@/lib/web/session_cookies.ts";
import { define, type State, userScope } from "@/lib/web/state.ts";

/** The URL is worth a membership, so caches must not store the page. */
const NOT_STORED = { "Cache-Control": "no-store" };

export const handler = define.handlers({
  /** Only shows a form, because link previews in messages must not use up the link. */
  async GET(ctx) {
    const { state: { deps, actor }, params: { token } } = ctx;
    const invite = await readInvite(deps, token, actor, originOf(ctx));
    return page({ invite, form: newForm() }, { headers: NOT_STORED });
  },

  async POST(ctx) {
    const { state, req, params: { token } } = ctx;
    const { deps, actor } = state;
    const origin = originOf(ctx);
    const sent = await readForm(req, SIGN_IN_BYTES_MAX);
    const { answer, ...typed } = sent;
    if (answer === "decline") {
      await declineInvite(deps, token, actor, origin);
      return seeOther(ctx, actor ? "/" : paths.signIn(), "flash.invites.declined");
    }
    const form = answer === "join"
      ? await saveForm(
        parseValues(typed, joinForm),
        async (value) =>
          seeOther(ctx, paths.signInLink(await joinAsNewPerson(deps, token, value, origin))),
      )
      : await saveForm({ ok: true, value: null, values: {}, errors: {} }, async () => {
        const { project_id } = await acceptInvite(userScope(state), token, origin);
        return seeOther(ctx, paths.project(project_id), "flash.invites.accepted");
      });
    if (form.ok) return form.result;
    const invite = await readInvite(deps, token, actor, origin);
    return page({ invite, form }, { status: 422, headers: NOT_STORED });
  },
});

const originOf = (
  { req: { headers }, info, state }: Pick<Context<State>, "req" | "info" | "state">,
) => signInOrigin(headers, clientAddress(state.deps.config, headers, info.remoteAddr));

export default define.page<typeof handler>(({ data, state: { ui, actor }, params: { token } }) => (
  <>
    <Title ui={ui} parts={[ui.t("invites.title")]} />
    <AnswerInvite ui={ui} {...data} username={actor?.username ?? ""} token={token} />
  </>
));
