import { openAccount, requireAdmin } from "@/lib/access/scope.ts";
import { OwnKeyCount } from "@/components/account/OwnKeys.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { Said } from "@/components/users/Said.tsx";
import { UserAccess } from "@/components/users/UserAccess.tsx";
import { UserFields, userLabels } from "@/components/users/UserFields.tsx";
import { paths } from "@/lib/base/paths.ts";
import { createUser, getUser, updateUser } from "@/lib/people/accounts/service.ts";
import { readSaid } from "@/lib/people/group_rules/service.ts";
import { groupProviders } from "@/lib/people/sessions/service.ts";
import {
  userChangeBody,
  type UserChangeForm,
  userChangeForm,
  type UserForm,
  userForm,
} from "@/lib/people/users/schema.ts";
import { countOwnKeys } from "@/lib/resources/own_keys/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { type ParsedForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asUser } from "@/lib/web/rights.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";
import { accountAccess } from "@/routes/(_pages)/account/access.ts";

export const handler = formPage({
  rights: asUser,
  find: async (scope, { params: { userId } }) => ({
    user: userId === "new" ? null : await getUser(openAccount(scope, pageId(userId))),
  }),
  shown: ({ user }, { state }) =>
    formOf(user, { ...user, revoke_tokens: user?.id !== signedIn(state).id }),
  parse(typed, { user }, { state }): ParsedForm<UserForm | UserChangeForm> {
    if (!user) return parseValues(typed, userForm);
    const { external, username, email } = user;
    const values = external ? { ...typed, username, email, password: "" } : typed;
    // Users cannot change their own admin setting. An email address from a provider need not be
    // valid.
    const admin = user.id === signedIn(state).id ? String(user.admin) : values.admin ?? "false";
    const revoke_tokens = values.revoke_tokens ?? "false";
    const schema = external ? userChangeBody : userChangeForm;
    return parseValues({ ...values, admin, revoke_tokens }, schema);
  },
  async save({ scope, value, found: { user }, expected }) {
    if (user) await updateUser(openAccount(scope, user.id), value, expected);
    else await createUser(requireAdmin(scope), value as UserForm);
  },
  next: ({ typed: { name = "" }, found: { user } }) => [
    paths.users(),
    user ? "flash.users.saved" : "flash.users.created",
    { name },
  ],
  async beside(_form, { user }, { state }) {
    const scope = userScope(state);
    const account = user && openAccount(scope, user.id);
    return {
      access: account && await accountAccess(account),
      said: user ? await readSaid(requireAdmin(scope), user.id) : [],
      keys: account ? await countOwnKeys(account) : 0,
    };
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
