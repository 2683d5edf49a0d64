import type { FormState } from "../../lib/web/forms/form.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SignInOptions } from "../../lib/people/sessions/schema.ts";
import { PasskeyAsk } from "../access/PasskeyAsk.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button, IconButton } from "../ui/Button.tsx";
import { DialogHead } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { FormErrors } from "../ui/Form.tsx";
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
      {byPassword && <SignInHelp ui={ui} />}
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

/** Explains to the server's administrator how to let people in again. Opens without a script. */
function SignInHelp({ ui }: { ui: Ui }) {
  const password = examplePassword();
  const steps = [
    ["first_link", "deno task user first-link"],
    ["list", "deno task user list"],
    ["password", `deno task user password --login user123 --password ${password}`],
    [
      "add",
      `deno task user add --admin --login user123 --name User123 --email user123@example.com --password ${password}`,
    ],
    ["link_command", "deno task user link --login user123"],
  ];
  return (
    <div class="help">
      <button type="button" class="button button-quiet" popovertarget="sign-in-help">
        {ui.t("sign_in.help.link")}
      </button>
      <section
        id="sign-in-help"
        popover="auto"
        role="dialog"
        aria-labelledby="sign-in-help-title"
        class="dialog dialog-small"
      >
        <DialogHead id="sign-in-help" title={ui.t("sign_in.help.title")} level={2}>
          <IconButton
            type="button"
            icon="close"
            label={ui.t("actions.close")}
            popovertarget="sign-in-help"
            popovertargetaction="hide"
            autofocus
          />
        </DialogHead>
        <p class="m-0 mb-3 text-muted">{ui.t("sign_in.help.where")}</p>
        <ol class="m-0 pl-5 grid gap-3">
          {steps.map(([step, command], index) => (
            <li>
              {ui.t(`sign_in.help.${step}`)}
              <pre
                tabIndex={0}
                aria-label={ui.t("sign_in.help.command", { number: index + 1 })}
              >{command}</pre>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** Ten random letters and digits, without those that look alike. */
const examplePassword = () =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(10)),
    (byte) => LETTERS[byte % LETTERS.length],
  ).join("");
