import type { AccountScope } from "@/lib/access/scope.ts";
import { listAccountEvents } from "@/lib/events/service.ts";
import { getSecondFactor } from "@/lib/people/factors/service.ts";
import { listBrowsers } from "@/lib/people/factors/trusted_browsers.ts";
import { listPasskeys } from "@/lib/people/passkeys/service.ts";
import { listSessions } from "@/lib/people/sessions/open_sessions.ts";
import { listTokens } from "@/lib/people/tokens/service.ts";

/** Loads how one signs in to an account, and its events. */
export async function accountSecurity(account: AccountScope) {
  const [sessions, passkeys, factor, browsers, events] = await Promise.all([
    listSessions(account),
    listPasskeys(account),
    getSecondFactor(account),
    listBrowsers(account),
    listAccountEvents(account),
  ]);
  return { sessions, passkeys, factor, browsers, events };
}

/** Loads the same with the API tokens of the account. */
export async function accountAccess(account: AccountScope) {
  const [security, tokens] = await Promise.all([accountSecurity(account), listTokens(account)]);
  return { ...security, tokens };
}
