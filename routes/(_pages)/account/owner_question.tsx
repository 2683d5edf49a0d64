import { type Context, page } from "fresh";
import { ConfirmOwner } from "@/components/account/ConfirmOwner.tsx";
import { Title } from "@/components/ui/Page.tsx";
import type { AccountScope } from "@/lib/access/scope.ts";
import { notFound } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { getUser } from "@/lib/people/accounts/service.ts";
import { type FormState, newForm, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, ownAccount, type State } from "@/lib/web/state.ts";

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

/** Performs the action of a button. If the account has a password, asks the owner for it first. */
export async function ownerQuestion(
  ctx: Context<State>,
  act: (account: AccountScope, id: string, password?: string) => Promise<void>,
  { label, path, name, done }: OwnerAction,
) {
  const { state } = ctx;
  const account = ownAccount(state);
  const { [name]: value, current_password } = await readForm(ctx.req);
  if (!value) throw notFound();
  const ask = (form: FormState, status: number) =>
    page({ question: { label, action: state.ui.href(path), name, value, form } }, { status });
  const asksPassword = !(await getUser(account)).external;
  if (asksPassword && current_password === undefined) return ask(newForm(), 200);
  const sent = { ok: true as const, value, values: {}, errors: {} };
  const form = await saveForm(sent, (id) => act(account, id, current_password));
  return form.ok ? seeOther(ctx, paths.account("security"), done) : ask(form, 422);
}

/** Page with the question, shown instead of the page with the button. */
export const OwnerPage = define.page<
  { POST: (ctx: Context<State>) => ReturnType<typeof ownerQuestion> }
>(({ data: { question }, state: { ui } }) => (
  <>
    <Title ui={ui} parts={[ui.t(question.label)]} />
    <ConfirmOwner ui={ui} question={question} />
  </>
));
