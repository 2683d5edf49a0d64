import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { UserView } from "../../lib/people/users/schema.ts";
import { AccountLog } from "../access/AccountLog.tsx";
import { Passkeys } from "../access/Passkeys.tsx";
import { SecondFactor } from "../access/SecondFactor.tsx";
import { Sessions } from "../access/Sessions.tsx";
import { Tokens } from "../access/Tokens.tsx";
import type { Access } from "../account/AccountAccess.tsx";
import { Button } from "../ui/Button.tsx";

interface UserAccessProps extends Access {
  ui: Ui;
  user: UserView;
  /** Admins cannot reset their own second factor here. Their account page asks for a code first. */
  isOwn: boolean;
}

/** The ways to sign in to another account, for admins. */
export function UserAccess(
  { ui, user: { id }, isOwn, sessions, tokens, passkeys, factor, events }: UserAccessProps,
) {
  const reset = factor && !isOwn && (
    <form method="post" action={ui.href(paths.userSecondFactor(id))}>
      <Button kind="danger">{ui.t("factors.reset")}</Button>
    </form>
  );
  return (
    <>
      <SecondFactor ui={ui} factor={factor} isOwn={isOwn} actions={reset} />
      {passkeys.length > 0 && (
        <Passkeys ui={ui} passkeys={passkeys} remove={ui.href(paths.userPasskeys(id))} />
      )}
      <Sessions ui={ui} sessions={sessions} action={ui.href(paths.userSessions(id))} />
      <Tokens ui={ui} tokens={tokens} revoke={ui.href(paths.userTokens(id))} />
      <AccountLog ui={ui} events={events} />
    </>
  );
}
