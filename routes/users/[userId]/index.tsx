import { openAccount, requireAdmin } from "@/lib/access/scope.ts";
import {
  AboutFirstLink,
  LinkMade,
  type NewLink,
  SignInLink,
} from "@/components/access/SignInLink.tsx";
import { OwnKeyCount } from "@/components/account/OwnKeys.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { Said } from "@/components/users/Said.tsx";
import { UserAccess } from "@/components/users/UserAccess.tsx";
import { UserFields, userLabels } from "@/components/users/UserFields.tsx";
import { mailsLinks } from "@/lib/alerts/email/mail_link.ts";
import { paths } from "@/lib/base/paths.ts";
import { createUser, getUser, updateUser } from "@/lib/people/accounts/service.ts";
import { readSaid } from "@/lib/people/group_rules/service.ts";
import { groupProviders } from "@/lib/people/sessions/service.ts";
import { readOpenLinks } from "@/lib/people/sign_in_links/service.ts";
import {
  userChangeBody,
  type UserChangeForm,
  userChangeForm,
  type UserForm,
  userForm,
  userFormWithoutPassword,
} from "@/lib/people/users/schema.ts";
import { countOwnKeys } from "@/lib/resources/own_keys/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { newForm, type ParsedForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asUser } from "@/lib/web/rights.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";
import { accountAccess } from "@/routes/(_pages)/account/access.ts";
import { linkHeaders, newLink } from "@/routes/(_pages)/account/new_link.ts";

export const handler = formPage({
  rights: asUser,
  find: async (scope, { params: { userId } }) => ({
    user: userId === "new" ? null : await getUser(openAccount(scope, pageId(userId))),
  }),
  shown: ({ user }, { state }) =>
    formOf(user, { mail: "true", ...user, revoke_tokens: user?.id !== signedIn(state).id }),
  parse(typed, { user }, { state }): ParsedForm<UserForm | UserChangeForm> {
    if (!user) {
      // Where passwords are disabled, there is no link that sets one.
      const { passwordSignIn } = state.deps.config;
      return parseValues(typed, passwordSignIn ? userFormWithoutPassword : userForm);
    }
    const { external, username, email } = user;
    const values = external ? { ...typed, username, email, password: "" } : typed;
    // Users cannot change their own admin setting. An email address from a provider need not be
    // valid.
    const admin = user.id === signedIn(state).id ? String(user.admin) : values.admin ?? "false";
    const revoke_tokens = values.revoke_tokens ?? "false";
    const schema = external ? userChangeBody : userChangeForm;
    return parseValues({ ...values, admin, revoke_tokens }, schema);
  },
  async save({ scope, value, typed, found: { user }, expected, ctx }): Promise<NewLink | null> {
    if (user) {
      await updateUser(openAccount(scope, user.id), value, expected);
      return null;
    }
    const { id, external } = await createUser(requireAdmin(scope), value as UserForm);
    if (external || value.password !== "") return null;
    return await newLink(openAccount(scope, id), ctx, typed.mail === "true");
  },
  next: ({ typed: { name = "" }, found: { user }, result: link }) =>
    link
      ? { form: newForm(), extra: link, headers: linkHeaders() }
      : [paths.users(), user ? "flash.users.saved" : "flash.users.created", { name }],
  async beside(_form, { user }, { state }, link?: NewLink) {
    const scope = userScope(state);
    const account = user && openAccount(scope, user.id);
    return {
      access: account && await accountAccess(account),
      said: user ? await readSaid(requireAdmin(scope), user.id) : [],
      keys: account ? await countOwnKeys(account) : 0,
      openLinks: account && await readOpenLinks(account),
      mails: mailsLinks(state.deps),
      link: link ?? null,
    };
  },
});

export default define.page<typeof handler>(
  ({ data: { user, form, access, said, keys, openLinks, mails, link }, state }) => {
    const { ui } = state;
    const mail = mails && (
      <Checkbox ui={ui} form={form} name="mail" label={ui.t("first_link.mail")} />
    );
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
          {link
            ? (
              <LinkMade
                ui={ui}
                title={ui.t("flash.users.created", { name: link.name })}
                about={<AboutFirstLink ui={ui} link={link} />}
                link={link}
                done={list}
              />
            )
            : (
              <Form
                ui={ui}
                form={form}
                action={ui.href(paths.user(user?.id ?? "new"))}
                cancel={list}
                save={ui.t(user ? "actions.save" : "actions.create")}
                labels={userLabels(ui)}
              >
                <UserFields
                  ui={ui}
                  form={form}
                  user={user}
                  isOwn={user?.id === signedIn(state).id}
                  mayLackPassword={state.deps.config.passwordSignIn}
                />
                {!user && state.deps.config.passwordSignIn && mail}
              </Form>
            )}
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
            {openLinks && (
              <SignInLink ui={ui} action={ui.href(paths.userLink(user.id))} {...openLinks}>
                {mail}
              </SignInLink>
            )}
            <UserAccess ui={ui} user={user} isOwn={user.id === signedIn(state).id} {...access} />
          </div>
        )}
      </>
    );
  },
);
