import { ConfirmOwner } from "@/components/account/ConfirmOwner.tsx";
import { Title } from "@/components/ui/Page.tsx";
import type { AccountScope } from "@/lib/access/scope.ts";
import { notFound } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { getUser } from "@/lib/people/accounts/service.ts";
import { newForm } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

/** A button of the account that removes a sign-in method. */
interface OwnerAction {
  /** Locale key of the button's label. */
  label: string;
  /** Path of the form, and the name of the field that identifies the method. */
  path: string;
  name: string;
  /** Locale key of the message afterwards. */
  done: string;
}

/**
 * Creates the handlers of a button. If the account has a password, they ask the owner for it first.
 */
export const ownerQuestion = (
  act: (account: AccountScope, id: string, password?: string) => Promise<void>,
  { label, path, name, done }: OwnerAction,
) =>
  define.handlers({
    ...formPage({
      rights: asOneself,
      async find(account, { state: { ui } }, { [name]: value, current_password }) {
        if (!value) throw notFound();
        const asksPassword = !(await getUser(account)).external;
        return {
          question: { label, action: ui.href(path), name, value },
          isAsked: asksPassword && current_password === undefined,
        };
      },
      shown: () => newForm(),
      button: (_sent, { isAsked }) => isAsked ? { form: newForm() } : null,
      save: ({ scope, found: { question }, typed }) =>
        act(scope, question.value, typed.current_password),
      next: () => [paths.account("security"), done],
    }),
    GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account("security")), 303),
  });

/** Page with the question, shown instead of the page with the button. */
export const OwnerPage = define.page<ReturnType<typeof ownerQuestion>>((
  { data: { question, form }, state: { ui } },
) => (
  <>
    <Title ui={ui} parts={[ui.t(question.label)]} />
    <ConfirmOwner ui={ui} form={form} question={question} />
  </>
));
