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
import { Tokens } from "../access/Tokens.tsx";
import { TrustedBrowsers } from "../access/TrustedBrowsers.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { PasskeyForm } from "./PasskeyForm.tsx";

export interface Access {
  sessions: SessionView[];
  tokens: TokenView[];
  passkeys: PasskeyView[];
  factor: SecondFactorView | null;
  browsers: TrustedBrowserView[];
  events: EventView[];
}

/** The ways to sign in to one's own account. */
export function AccountAccess(
  { ui, sessions, tokens, passkeys, factor, browsers, events, passkeyForm, children }: Access & {
    ui: Ui;
    /** Adds a passkey; null where passkeys are disabled. */
    passkeyForm: FormState | null;
    /** The form that creates a token. */
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
      <SecondFactor ui={ui} factor={factor} actions={change}>
        <TrustedBrowsers ui={ui} browsers={browsers} action={ui.href(paths.accountBrowsers())} />
      </SecondFactor>
      {(passkeyForm || passkeys.length > 0) && (
        <Passkeys ui={ui} passkeys={passkeys} remove={ui.href(paths.passkeys("/remove"))}>
          {passkeyForm && <PasskeyForm ui={ui} form={passkeyForm} />}
        </Passkeys>
      )}
      <Sessions ui={ui} sessions={sessions} action={ui.href(paths.accountSessions())} />
      <Tokens ui={ui} tokens={tokens} revoke={ui.href(paths.revokeAccountTokens())}>
        {children}
      </Tokens>
      <AccountLog ui={ui} events={events} />
    </>
  );
}
