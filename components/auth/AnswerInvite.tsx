import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { InviteToAnswer } from "../../lib/people/invites/accept.ts";
import { isFixedRole } from "../../lib/model/roles.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { roleLabel } from "@/lib/model/role_label.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Fact, Facts } from "../ui/Facts.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormErrors } from "../ui/forms/Form.tsx";
import { Logo } from "../ui/Logo.tsx";

interface AnswerInviteProps {
  ui: Ui;
  invite: InviteToAnswer;
  form: FormState;
  /** Username of the signed-in reader; empty for no one. */
  username: string;
  token: string;
}

/** An invitation, and what its holder can do with it. Its forms post to the page's own address. */
export function AnswerInvite({ ui, invite, form, username, token }: AnswerInviteProps) {
  const { project, role, inviter, email, expires, step } = invite;
  return (
    <>
      <div class="grid justify-items-center gap-2">
        <Logo class="w-16 h-16" />
        <h1>{ui.t("invites.title")}</h1>
      </div>
      <div class="card grid grid-cols-1 gap-4">
        <FormErrors ui={ui} form={form} labels={{ name: ui.t("users.name") }} />
        <p class="m-0">
          {ui.t("invites.invites_you", { name: inviter.name, project: project.name })}
        </p>
        <Facts>
          <Fact label={ui.t("team.role")}>
            {roleLabel(ui, role)}
            {isFixedRole(role) && <span class="field-hint block">{ui.t(`role_hints.${role}`)}
            </span>}
          </Fact>
          <Fact label={ui.t("users.email")}>{email}</Fact>
          <Fact label={ui.t("invites.ends")}>{ui.minute(expires)}</Fact>
        </Facts>
        {step === "accept" && <Accept ui={ui} username={username} />}
        {step === "member" && (
          <>
            <Alert kind="info">{ui.t("invites.is_member")}</Alert>
            <ButtonLink kind="primary" href={ui.href(paths.project(project.id))}>
              {ui.t("invites.open_project")}
            </ButtonLink>
          </>
        )}
        {step === "other_account" && <OtherAccount ui={ui} username={username} email={email} />}
        {step === "set_up" && <SetUp ui={ui} form={form} token={token} />}
        {step === "sign_in" && <SignInFirst ui={ui} token={token} />}
      </div>
    </>
  );
}

const Decline = ({ ui }: { ui: Ui }) => (
  <form method="post" class="grid grid-cols-1">
    <Button name="answer" value="decline">{ui.t("invites.decline")}</Button>
  </form>
);

const Accept = ({ ui, username }: { ui: Ui; username: string }) => (
  <>
    <p class="m-0">{ui.t("sign_out.signed_in_as", { username })}</p>
    <form method="post" class="grid grid-cols-1">
      <Button kind="primary" name="answer" value="accept">{ui.t("invites.accept")}</Button>
    </form>
    <Decline ui={ui} />
  </>
);

/** The link was forwarded, or the browser belongs to someone else. */
const OtherAccount = (
  { ui, username, email }: { ui: Ui; username: string; email: string | null },
) => (
  <>
    <Alert kind="warning">
      <p class="m-0">
        {email === null
          ? ui.t("invites.not_yours", { username })
          : ui.t("invites.for_address", { username, email })}
      </p>
    </Alert>
    <form method="post" action={ui.href(paths.signOut())} class="grid grid-cols-1">
      <Button kind="primary">{ui.t("actions.sign_out")}</Button>
    </form>
  </>
);

const SetUp = ({ ui, form, token }: { ui: Ui; form: FormState; token: string }) => (
  <>
    <form method="post" class="grid grid-cols-1 gap-4" noValidate>
      <Field
        {...{ ui, form }}
        name="name"
        label={ui.t("users.name")}
        required
        autocomplete="name"
      />
      <Button kind="primary" name="answer" value="join">{ui.t("invites.join")}</Button>
    </form>
    <p class="m-0">
      <a href={ui.href(paths.signIn(paths.invite(token)))}>{ui.t("invites.has_account")}</a>
    </p>
    <Decline ui={ui} />
  </>
);

const SignInFirst = ({ ui, token }: { ui: Ui; token: string }) => (
  <>
    <p class="m-0">{ui.t("invites.sign_in_first")}</p>
    <ButtonLink kind="primary" href={ui.href(paths.signIn(paths.invite(token)))}>
      {ui.t("invites.sign_in")}
    </ButtonLink>
    <Decline ui={ui} />
  </>
);
