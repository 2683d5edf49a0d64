import type { ComponentChildren } from "preact";
import { paths } from "../../lib/base/paths.ts";
import type { EventView } from "../../lib/events/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SecondFactorView, TrustedBrowserView } from "../../lib/people/factors/schema.ts";
import type { SessionView } from "../../lib/people/sessions/schema.ts";
import type { TokenView } from "../../lib/people/tokens/schema.ts";
import { AccountLog } from "../access/AccountLog.tsx";
import { SecondFactor } from "../access/SecondFactor.tsx";
import { Sessions } from "../access/Sessions.tsx";
import { Tokens } from "../access/Tokens.tsx";
import { TrustedBrowsers } from "../access/TrustedBrowsers.tsx";
import { ButtonLink } from "../ui/Button.tsx";

export interface Access {
  sessions: SessionView[];
  tokens: TokenView[];
  factor: SecondFactorView | null;
  browsers: TrustedBrowserView[];
  events: EventView[];
}

/** What signs in to one's own account. */
export function AccountAccess(
  { ui, sessions, tokens, factor, browsers, events, children }: Access & {
    ui: Ui;
    /** The form that makes a token. */
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
      <Sessions ui={ui} sessions={sessions} action={ui.href(paths.accountSessions())} />
      <Tokens ui={ui} tokens={tokens} revoke={ui.href(paths.revokeAccountTokens())}>
        {children}
      </Tokens>
      <AccountLog ui={ui} events={events} />
    </>
  );
}
