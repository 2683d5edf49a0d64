import type { FormState } from "../../lib/web/forms/form.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SignInOptions } from "../../lib/people/sessions/schema.ts";
import { PasskeyAsk } from "../access/PasskeyAsk.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormErrors } from "../ui/forms/Form.tsx";
import { Logo } from "../ui/Logo.tsx";

interface SignInProps {
  ui: Ui;
  form: FormState;
  options: SignInOptions;
  /** Whether passkey sign-in is enabled. */
  passkeys: boolean;
  /** Query of the page's address, which names the page to continue to. */
  query: string;
}

/** The sign-in page: by password, by a provider, or both. */
export function SignIn({ ui, form, options, passkeys, query }: SignInProps) {
  const byPassword = options.login_with_password;
  return (
    <>
      <div class="grid justify-items-center gap-2">
        <Logo class="w-16 h-16" />
        <h1>{ui.t("app.name")}</h1>
      </div>
      <div class="card grid grid-cols-1 gap-4">
        {byPassword && <PasswordForm ui={ui} form={form} query={query} />}
        {passkeys && (
          <form
            method="post"
            action={ui.href(paths.signInPasskey(query))}
            class="grid grid-cols-1 needs-script"
          >
            <PasskeyAsk
              ui={ui}
              kind="sign_in"
              options={ui.href(paths.signInPasskey("/options"))}
              label={ui.t("passkeys.sign_in")}
            />
          </form>
        )}
        {options.oidc_providers.map(({ id, name, color, available }) => (
          <a
            class="button button-secondary"
            aria-describedby={available ? undefined : `${id}-away`}
            href={`${ui.href(`/api/auth/oidc/${encodeURIComponent(id)}/login`)}${query}`}
          >
            {color && (
              <svg class="w-3 h-3" viewBox="0 0 2 2" aria-hidden="true">
                <circle cx="1" cy="1" r="1" fill={color} />
              </svg>
            )}
            <span class="grid">
              {ui.t("sign_in.with", { name })}
              {!available && (
                <small id={`${id}-away`} class="text-muted">{ui.t("sign_in.away")}</small>
              )}
            </span>
          </a>
        ))}
        {!byPassword && options.oidc_providers.length === 0 && (
          <Alert kind="warning">{ui.t("sign_in.no_way")}</Alert>
        )}
      </div>
      {byPassword && (
        <ButtonLink kind="quiet" class="whitespace-normal" href={ui.href(paths.signInHelp(query))}>
          {ui.t("sign_in.help.link")}
        </ButtonLink>
      )}
    </>
  );
}

function PasswordForm({ ui, form, query }: Pick<SignInProps, "ui" | "form" | "query">) {
  // After a refusal the username is already filled in, so the focus goes to the password.
  const isAgain = "" in form.errors && Boolean(form.values.auth);
  const labels = { auth: ui.t("sign_in.username"), password: ui.t("sign_in.password") };
  return (
    <form
      method="post"
      action={`${ui.href(paths.signIn())}${query}`}
      class="grid grid-cols-1 gap-4"
    >
      <FormErrors ui={ui} form={form} labels={labels} />
      <Field
        ui={ui}
        form={form}
        name="auth"
        label={labels.auth}
        autocomplete="username"
        required
        autofocus={!isAgain}
      />
      <Field
        ui={ui}
        form={form}
        name="password"
        type="password"
        label={labels.password}
        autocomplete="current-password"
        required
        autofocus={isAgain}
      />
      <Button kind="primary">{ui.t("actions.sign_in")}</Button>
    </form>
  );
}
