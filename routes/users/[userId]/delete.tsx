import { openAccount } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define, type State, userScope } from "@/lib/web/state.ts";
import { type FormState, newForm, saveForm } from "@/lib/web/forms/form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { personWith } from "@/lib/base/person.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { deleteUser } from "@/lib/people/accounts/deletion.ts";
import { getUser } from "@/lib/people/accounts/service.ts";

async function confirmPage(state: State, id: number, form: FormState, status = 200) {
  return page({
    user: await getUser(openAccount(userScope(state), id)),
    form,
  }, { status });
}

export const handler = define.handlers({
  GET: ({ state, params }) => confirmPage(state, pageId(params.userId), newForm()),

  async POST(ctx) {
    const scope = userScope(ctx.state);
    const user = await getUser(openAccount(scope, pageId(ctx.params.userId)));
    const name = ctx.state.ui.person(personWith(user));
    const sent = { ok: true as const, value: user.id, values: {}, errors: {} };
    const form = await saveForm(sent, (id) => deleteUser(openAccount(scope, id)));
    if (!form.ok) return await confirmPage(ctx.state, user.id, form, 422);
    return seeOther(ctx, paths.users(), "flash.users.deleted", { name });
  },
});

export default define.page<typeof handler>(({ data: { user, form }, state: { ui } }) => {
  const title = ui.t("users.delete");
  const name = ui.person(personWith(user));
  return (
    <>
      <Title ui={ui} parts={[title, name, ui.t("admin.title")]} />
      <Confirm
        ui={ui}
        form={form}
        title={title}
        question={ui.t("users.question", { name })}
        action={`${ui.href(paths.user(user.id))}/delete`}
        cancel={ui.href(paths.users())}
        yes={ui.t("actions.delete")}
      />
    </>
  );
});
