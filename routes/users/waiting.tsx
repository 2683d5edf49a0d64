import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { WaitingTable } from "@/components/identities/WaitingTable.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { paths } from "@/lib/base/paths.ts";
import { acceptWaiting } from "@/lib/people/identities/service.ts";
import { listWaiting, refuseWaiting } from "@/lib/people/identities/waiting.ts";
import { signInOptions } from "@/lib/people/sessions/service.ts";
import { newForm } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asAdmin } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asAdmin,
  find: async (scope) => ({ people: await listWaiting(scope) }),
  shown: () => newForm(),
  save: ({ scope, typed: { accept, refuse = "" } }) =>
    accept ? acceptWaiting(scope, accept) : refuseWaiting(scope, refuse),
  // Someone else may have taken the email address meanwhile.
  shownStatuses: [403, 409],
  next: ({ typed: { accept } }) => [
    paths.waitingPeople(),
    accept ? "flash.waiting.accepted" : "flash.waiting.refused",
  ],
});

export default define.page<typeof handler>(
  ({ data: { people, form: { errors } }, state: { ui, deps } }) => {
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
  },
);
