import { requireAdmin } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { WaitingTable } from "@/components/identities/WaitingTable.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { define, type State, userScope } from "@/lib/web/state.ts";
import { type FormErrors, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { acceptWaiting } from "@/lib/people/identities/service.ts";
import { listWaiting, refuseWaiting } from "@/lib/people/identities/waiting.ts";
import { signInOptions } from "@/lib/people/sessions/service.ts";

const waitingPage = async (state: State, errors: FormErrors = {}, status = 200) =>
  page({ people: await listWaiting(requireAdmin(userScope(state))), errors }, { status });

/** Someone else may have taken the email address meanwhile. */
const SHOWN_STATUSES = [403, 409];

export const handler = define.handlers({
  GET: ({ state }) => waitingPage(state),

  async POST(ctx) {
    const scope = requireAdmin(userScope(ctx.state));
    const { accept, refuse = "" } = await readForm(ctx.req);
    const sent = { ok: true as const, value: accept ?? refuse, values: {}, errors: {} };
    const form = await saveForm(
      sent,
      (id) => accept ? acceptWaiting(scope, id) : refuseWaiting(scope, id),
      SHOWN_STATUSES,
    );
    if (!form.ok) return await waitingPage(ctx.state, form.errors, 422);
    const done = accept ? "flash.waiting.accepted" : "flash.waiting.refused";
    return seeOther(ctx, paths.waitingPeople(), done);
  },
});

export default define.page<typeof handler>(({ data: { people, errors }, state: { ui, deps } }) => {
  const title = ui.t("waiting.title");
  const { oidc_providers } = signInOptions(deps);
  return (
    <>
      <AdminHeader ui={ui} title={title} />
      {errors[""] && <Alert kind="danger">{ui.t(errors[""].key, errors[""].params)}</Alert>}
      <WaitingTable
        ui={ui}
        people={people}
        providers={new Map(oidc_providers.map(({ id, name }) => [id, name]))}
      />
    </>
  );
});
