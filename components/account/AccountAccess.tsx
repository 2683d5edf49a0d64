import type { ComponentChildren } from "preact";
import { paths } from "../../lib/base/paths.ts";
import type { EventView } from "../../lib/events/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SecondFactorView, TrustedBrowserView } from "../../lib/people/factors/schema.ts";
import type { PasskeyView } from "../../lib/people/passkeys/schema.ts";
import type { SessionView } from "../../lib/people/sessions/schema.ts";
import type { TokenView } from "../../lib/people/tokens/schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { AccountLog } from "../access/AccountLog.tsx";
import { Passkeys } from "../access/Passkeys.tsx";
import { SecondFactor } from "../access/SecondFactor.tsx";
import { Sessions } from "../access/Sessions.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { PasskeyAsk } from "../access/PasskeyAsk.tsx";
import { endColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormErrors } from "../ui/forms/Form.tsx";
import { CurrentPassword } from "../ui/forms/PasswordField.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { BrowserName } from "../access/BrowserName.tsx";

interface Security {
  sessions: SessionView[];
  passkeys: PasskeyView[];
  factor: SecondFactorView | null;
  browsers: TrustedBrowserView[];
  events: EventView[];
}

export interface Access extends Security {
  tokens: TokenView[];
}

/** The ways to sign in to one's own account. */
export function AccountAccess(
  { ui, sessions, passkeys, factor, browsers, events, passkeyForm, children }: Security & {
    ui: Ui;
    /** Adds a passkey; null where passkeys are disabled. */
    passkeyForm: FormState | null;
    /** The sign-in providers. */
    children: ComponentChildren;
  },
) {
  const change = (
    <ButtonLink href={ui.href(paths.secondFactor())} over>
      {ui.t(factor ? "factors.change_it" : "factors.set_up")}
    </ButtonLink>
  );
  return (
    <>
      <SecondFactor ui={ui} factor={factor} isOwn actions={change}>
        <TrustedBrowsers ui={ui} browsers={browsers} action={ui.href(paths.accountBrowsers())} />
      </SecondFactor>
      {(passkeyForm || passkeys.length > 0) && (
        <Passkeys ui={ui} passkeys={passkeys} remove={ui.href(paths.passkeys("/remove"))}>
          {passkeyForm && <PasskeyForm ui={ui} form={passkeyForm} />}
        </Passkeys>
      )}
      {children}
      <Sessions ui={ui} sessions={sessions} action={ui.href(paths.accountSessions())} />
      <AccountLog ui={ui} events={events} />
    </>
  );
}

/** Adds a passkey. Browsers create passkeys only from a script. */
function PasskeyForm({ ui, form: sent }: { ui: Ui; form: FormState }) {
  const labels = {
    name: ui.t("passkeys.name"),
    current_password: ui.t("account.current_password"),
    credential: ui.t("passkeys.title"),
  };
  const form = { ...sent, idPrefix: "passkey-" };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <p class="m-0">{ui.t("passkeys.what")}</p>
      <p class="no-script m-0">{ui.t("passkeys.needs_script")}</p>
      <form
        id="new-passkey"
        method="post"
        action={ui.href(paths.passkeys())}
        class="form needs-script max-w-md"
        noValidate
      >
        <FormErrors ui={ui} form={form} labels={labels} />
        <Field {...field("name")} hint={ui.t("passkeys.name_hint")} required />
        <CurrentPassword ui={ui} form={form} required />
        <div class="form-bar">
          <PasskeyAsk
            ui={ui}
            kind="add"
            options={ui.href(paths.passkeys("/options"))}
            label={ui.t("passkeys.add")}
            primary
          />
        </div>
      </form>
    </>
  );
}

interface TrustedBrowsersProps {
  ui: Ui;
  browsers: TrustedBrowserView[];
  /**
   * Address that a browser's id is sent to in order to forget it. Without an id, all are forgotten.
   */
  action: string;
}

/** The browsers that are not asked for a code, with buttons that end this trust. */
function TrustedBrowsers({ ui, browsers, action }: TrustedBrowsersProps) {
  if (browsers.length === 0) return null;
  return (
    <>
      <div class="flex flex-wrap items-center justify-between gap-2">
        <h3 class="m-0">{ui.t("factors.browsers")}</h3>
        <form method="post" action={action}>
          <Button>{ui.t("factors.forget_all")}</Button>
        </form>
      </div>
      <Table<TrustedBrowserView>
        caption={ui.t("factors.browsers")}
        rows={browsers}
        rowId={({ id }) => `browser-${id}`}
        columns={[
          nameColumn(
            ui,
            "sessions.browser",
            ({ user_agent }) => <BrowserName ui={ui} agent={user_agent} />,
          ),
          { label: ui.t("sessions.address"), kind: "text", cell: ({ address }) => address },
          whenColumn(ui, "factors.remembered", "created"),
          whenColumn(ui, "sessions.last_active", "last_used"),
          endColumn(ui, { action: action, name: "browser", label: ui.t("factors.forget") }),
        ]}
      />
    </>
  );
}
