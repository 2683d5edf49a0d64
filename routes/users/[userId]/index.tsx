import { openAccount, requireAdmin } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { accountAccess } from "@/routes/(_pages)/account_access.ts";
import { OwnKeyCount } from "@/components/account/OwnKeys.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { Said } from "@/components/users/Said.tsx";
import { UserAccess } from "@/components/users/UserAccess.tsx";
import { UserFields, userLabels } from "@/components/users/UserFields.tsx";
import { define, signedIn, type State, userScope } from "@/lib/web/state.ts";
import type { Expected } from "@/lib/base/version.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, parseValues, saveForm, type SubmittedForm } from "@/lib/web/forms/form.ts";
import { type FormValues, readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { readSaid } from "@/lib/people/group_rules/service.ts";
import { groupProviders } from "@/lib/people/sessions/service.ts";
import {
  userChangeBody,
  userChangeForm,
  userForm,
  type UserView,
} from "@/lib/people/users/schema.ts";
import { createUser, getUser, updateUser } from "@/lib/people/accounts/service.ts";
import { countOwnKeys } from "@/lib/resources/own_keys/service.ts";

/** Returns the account to edit; null for a new one. */
async function readUser(state: State, idText: string): Promise<UserView | null> {
  return idText === "new" ? null : await getUser(openAccount(userScope(state), pageId(idText)));
}

/** Renders the form and the account's sign-in methods. */
async function userPage(state: State, user: UserView | null, form: FormState, status = 200) {
  const scope = userScope(state);
  const account = user && openAccount(scope, user.id);
  const access = account && await accountAccess(account);
  const keys = account ? await countOwnKeys(account) : 0;
  const said = user ? await readSaid(requireAdmin(scope), user.id) : [];
  return page({ user, form, access, said, keys }, { status });
}

/** Returns the form of a stored account. */
const accountForm = (state: State, user: UserView | null): FormState =>
  formOf(user, { ...user, revoke_tokens: user?.id !== signedIn(state).id });

async function save(
  state: State,
  user: UserView | null,
  typed: FormValues,
  expected: Expected,
): Promise<SubmittedForm<unknown>> {
  const scope = userScope(state);
  if (!user) {
    return await saveForm(
      parseValues(typed, userForm),
      (value) => createUser(requireAdmin(scope), value),
    );
  }
  const { external, username, email } = user;
  const values = external ? { ...typed, username, email, password: "" } : typed;
  // Users cannot change their own admin setting. An email address from a provider need not be
  // valid.
  const admin = user.id === scope.actor.id ? String(user.admin) : values.admin ?? "false";
  const revoke_tokens = values.revoke_tokens ?? "false";
  return await saveForm(
    parseValues({ ...values, admin, revoke_tokens }, external ? userChangeBody : userChangeForm),
    (value) => updateUser(openAccount(scope, user.id), value, expected),
  );
}

export const handler = define.handlers({
  async GET({ state, params }) {
    const user = await readUser(state, params.userId);
    return await userPage(state, user, restoredForm(state) ?? accountForm(state, user));
  },

  async POST(ctx) {
    const user = await readUser(ctx.state, ctx.params.userId);
    const values = withChoices(await readForm(ctx.req), accountForm(ctx.state, user));
    const form = await save(ctx.state, user, values, expectedOf(values));
    if (!form.ok) {
      const readNow = async () =>
        accountForm(ctx.state, await readUser(ctx.state, ctx.params.userId));
      const refused = await refusedForm(values, form.errors, readNow);
      return await userPage(ctx.state, user, refused.form, refused.status);
    }
    const done = user ? "flash.users.saved" : "flash.users.created";
    return seeOther(ctx, paths.users(), done, { name: values.name ?? "" });
  },
});

export default define.page<typeof handler>(
  ({ data: { user, form, access, said, keys }, state }) => {
    const { ui } = state;
    const names = new Map(groupProviders(state.deps).map(({ id, name }) => [id, name]));
    const list = ui.href(paths.users());
    const title = ui.t(user ? "users.edit" : "users.new");
    return (
      <>
        <Title ui={ui} parts={[title, user?.name, ui.t("admin.title")]} />
        <Dialog
          ui={ui}
          id="user-form"
          title={title}
          above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("users.title"), href: list }]} />}
          close={list}
        >
          <Form
            ui={ui}
            form={form}
            action={ui.href(paths.user(user?.id ?? "new"))}
            cancel={list}
            save={ui.t(user ? "actions.save" : "actions.create")}
            labels={userLabels(ui)}
          >
            <UserFields ui={ui} form={form} user={user} isOwn={user?.id === signedIn(state).id} />
          </Form>
        </Dialog>
        {user && access && (
          <div class="user-access">
            {said.map((one, n) => (
              <Said
                key={n}
                ui={ui}
                said={one}
                name={names.get(one.provider) ?? one.provider}
              />
            ))}
            {keys > 0 && <OwnKeyCount ui={ui} count={keys} />}
            <UserAccess ui={ui} user={user} isOwn={user.id === signedIn(state).id} {...access} />
          </div>
        )}
      </>
    );
  },
);
